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

// Two fingers: a step of the wheel each time their distance changes by a quarter.
function pinch(send, place) {
    const fingers = new Map();
    let apart = 0;
    const distance = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY); };
    return (e, down) => {
        if (e.pointerType !== 'touch') return false;
        if (down === false) fingers.delete(e.pointerId);
        else if (down || fingers.has(e.pointerId)) fingers.set(e.pointerId, e);
        if (fingers.size !== 2) { apart = 0; return fingers.size > 2; }
        const now = distance(), ratio = apart ? now / apart : 1;
        if (!apart || ratio > 1.25 || ratio < 0.8) apart = now;
        if (ratio > 1.25 || ratio < 0.8) send('wheel', ...place(e).map((v) => v.toFixed(1)), ratio > 1 ? 1 : -1, 0);
        return true;
    };
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
    const two = pinch(send, place);
    const up = (e) => { if (held) mouse('release')(e); held = false; two(e, false); };
    canvas.addEventListener('pointerdown', (e) => {
        e.preventDefault();
        if (two(e, true)) return up(e);
        held = true;
        canvas.setPointerCapture(e.pointerId);
        mouse('press')(e);
        if (e.pointerType === 'touch') rest = setTimeout(mouse('hover'), REST, e); // a long press
    });
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('pointermove', (e) => {
        clearTimeout(rest);
        if (two(e)) return;
        mouse(held ? 'drag' : 'move')(e);
        rest = setTimeout(mouse('hover'), REST, e);
    });
    canvas.addEventListener('wheel', (e) => {
        send('wheel', ...at(e), e.deltaY < 0 ? 1 : -1, e.shiftKey ? 1 : 0);
        e.preventDefault();
    }, { passive: false });
    canvas.addEventListener('contextmenu', (e) => e.preventDefault());
    for (const b of document.querySelectorAll('button[data-key]')) b.onclick = () => { send('key', b.dataset.key); b.blur(); };
}
