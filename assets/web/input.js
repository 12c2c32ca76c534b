// Keys, mouse and touch of a canvas, as lines of text (ui/web/lines.h).
const names = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', Home: 'home', End: 'end',
    Tab: 'tab', PageUp: 'pgup', PageDown: 'pgdn', Enter: 'enter', Escape: 'esc', Backspace: 'backspace',
    Delete: 'delete', Insert: 'insert', ' ': 'space' };
const shifted = ['left', 'right', 'up', 'down', 'home', 'end', 'tab'], REST = 600; // ms until a tip shows

// The program's name of a key; null: the browser's own, or none.
export function keyName(e) {
    const name = names[e.key] || (/^F\d+$/.test(e.key) ? e.key : e.key.length === 1 && e.key > ' ' && e.key <= '~' ? e.key : null);
    if (!name || e.altKey && !e.key.match(/^[!-~]$/) || e.metaKey || name === 'F5' || name === 'F11' || name === 'F12') return null;
    if (e.ctrlKey && !e.altKey) return /^[a-z]$/i.test(name) && !/^[crtwnv]$/i.test(name) ? `C-${name.toLowerCase()}`
        : /^(left|right|up|down)$/.test(name) ? `C-${name}` : null;
    return e.shiftKey && shifted.includes(name) ? `S-${name}` : name;
}

// send(kind, ...words); place(event): [x, y] in pixels of the frame.
export function listen(canvas, send, place) {
    let rest = 0, held = false;
    const at = (e) => place(e).map((v) => v.toFixed(1));
    const mouse = (kind) => (e) => send(kind, ...at(e), e.button > 0 ? e.button : 0, e.shiftKey ? 1 : 0);
    addEventListener('keydown', (e) => {
        const key = keyName(e);
        if (key) { send('key', key); e.preventDefault(); }
    });
    canvas.addEventListener('pointerdown', (e) => { held = true; canvas.setPointerCapture(e.pointerId); mouse('press')(e); e.preventDefault(); });
    canvas.addEventListener('pointerup', (e) => { held = false; mouse('release')(e); });
    canvas.addEventListener('pointercancel', (e) => { held = false; mouse('release')(e); });
    canvas.addEventListener('pointermove', (e) => {
        mouse(held ? 'drag' : 'move')(e);
        clearTimeout(rest);
        rest = setTimeout(mouse('hover'), REST, e);
    });
    canvas.addEventListener('wheel', (e) => {
        send('wheel', ...at(e), e.deltaY < 0 ? 1 : -1, e.shiftKey ? 1 : 0);
        e.preventDefault();
    }, { passive: false });
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
}
