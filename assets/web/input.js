// Keys, mouse and touch of a canvas, as lines of text (ui/web/lines.h).
const browser = /^(F5|F11|F12)$/; // keys that it keeps, and keys with control that it does not
const program = /^([abd-mo-qsuxyz]|Arrow\w+)$/i;
const REST = 600, STEP = 1.25; // ms until a tip shows; of the distance between two fingers

// send(kind, ...words); place(event): [x, y] in pixels of the frame.
export function listen(canvas, send, place) {
    let rest = 0, held = false, apart = 0; // apart: two fingers, else 0
    const shift = (e) => (e.shiftKey ? 1 : 0);
    const button = (e) => (e.pointerType === 'touch' ? 3 : e.button > 0 ? e.button : 0);
    const mouse = (kind, e) => send(kind, ...place(e), button(e), shift(e));
    const wheel = (e, up) => send('wheel', ...place(e), up ? 1 : -1, shift(e));
    const tip = (e) => { rest = setTimeout(mouse, REST, 'hover', e); };
    const up = (e) => { if (held) mouse('release', e); held = false; };

    function pinch({ touches }) {
        const [a, b] = touches, two = touches.length === 2;
        const now = two ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
        const ratio = apart && two ? now / apart : 1, step = ratio > STEP || ratio < 1 / STEP;
        if (two) up(a);
        if (step) wheel(a, ratio > 1);
        if (step || !apart || !two) apart = now;
    }

    const listeners = {
        pointerdown: (e) => {
            if (apart || !e.isPrimary) return;
            held = true;
            canvas.setPointerCapture(e.pointerId);
            mouse('press', e);
            if (e.pointerType === 'touch') tip(e); // a long press
        },
        pointermove: (e) => {
            clearTimeout(rest);
            if (apart || !e.isPrimary) return;
            mouse(held ? 'drag' : 'move', e);
            tip(e);
        },
        pointerup: up, pointercancel: up, contextmenu: () => {},
        wheel: (e) => wheel(e, e.deltaY < 0),
        touchstart: pinch, touchmove: pinch, touchend: pinch, touchcancel: pinch,
    };
    for (const [kind, act] of Object.entries(listeners))
        canvas.addEventListener(kind, (e) => { act(e); e.preventDefault(); }, { passive: false });
    const press = (key) => send('key', key.replace(' ', 'space'));
    addEventListener('keydown', (e) => {
        const held = e.ctrlKey && !e.altKey, named = e.key.length > 1; // both type a character
        const keeps = held ? !program.test(e.key) : e.altKey && named || browser.test(e.key);
        if (keeps || e.metaKey || (/[^ -~]/.test(e.key) && [...e.key].length > 1)) return;
        press(`${held ? 'C-' : ''}${e.shiftKey ? 'S-' : ''}${e.key}`);
        e.preventDefault();
    });
    const typed = () => [...(prompt('A number, or keys') || '').replace(/\p{C}/gu, '')];
    for (const b of document.querySelectorAll('nav button')) {
        b.onclick = () => { (b.dataset.key ? [b.dataset.key] : typed()).forEach(press); b.blur(); };
    }
}
