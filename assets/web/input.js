// Keys, mouse and touch of a canvas, as lines of text (ui/web/lines.h).
// Keys that the program knows: the others, and all with control but these, are the browser's.
const named = /^(Arrow\w+|Home|End|Page\w+|Enter|Escape|Tab|Backspace|Delete|Insert|F2)$/;
const control = /^([gu]|Arrow\w+)$/i;
// The places of signs on a keyboard with Latin letters: what a key with another sign stands for.
const places = { Backquote: '`~', Minus: '-_', Equal: '=+', BracketLeft: '[{', BracketRight: ']}', Backslash: '\\|',
    Semicolon: ';:', Quote: '\'"', Comma: ',<', Period: '.>', Slash: '/?' };
const REST = 600, STEP = 1.25; // ms until a tip shows; of the distance between two fingers

// The character or the name of a key; '': none that the program knows. A letter that is not Latin stands
// for the sign in its place on a Latin keyboard.
function keyOf({ key, code, shiftKey }) {
    if ([...key].length > 1) return named.test(key) ? key : '';
    const letter = /^Key([A-Z])$/.exec(code)?.[1];
    const place = letter ? (shiftKey ? letter : letter.toLowerCase()) : places[code]?.[shiftKey ? 1 : 0];
    return /\p{L}/u.test(key) && !/\p{Script=Latin}/u.test(key) && place || key;
}

// send(kind, ...words); place(event): [x, y] in pixels of the frame.
export function listen(canvas, send, place) {
    let rest = 0, held = false, apart = 0; // apart: two fingers, else 0
    let leaves = false; // the last key was escape: tab leaves the canvas
    const framed = window.self !== window.top;
    const here = () => document.activeElement === canvas;
    // In a frame the page around it scrolls until a click or the first touch has focused the canvas.
    const passes = () => framed && !here();
    const shift = (e) => (e.shiftKey ? 1 : 0);
    const button = (e) => (e.pointerType === 'touch' ? 3 : e.button > 0 ? e.button : 0);
    const mouse = (kind, e) => send(kind, ...place(e), button(e), shift(e));
    const wheel = (e, up) => send('wheel', ...place(e), up ? 1 : -1, shift(e));
    const tip = (e) => { rest = setTimeout(mouse, REST, 'hover', e); };
    const up = (e) => {
        clearTimeout(rest);
        if (held) mouse('release', e);
        held = false;
    };

    function pinch({ touches }) {
        const [a, b] = touches, two = touches.length === 2;
        const now = two ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
        const ratio = apart && two ? now / apart : 1, step = ratio > STEP || ratio < 1 / STEP;
        if (two) up(a);
        if (step) wheel(a, ratio > 1);
        if (step || !apart || !two) apart = now;
    }

    const touch = (e) => !passes() && (pinch(e), true);

    const listeners = {
        pointerdown: (e) => {
            if (apart || !e.isPrimary) return true;
            if (e.pointerType === 'touch' && passes()) return false;
            canvas.focus({ preventScroll: true });
            held = true;
            canvas.setPointerCapture(e.pointerId);
            mouse('press', e);
            if (e.pointerType === 'touch') tip(e); // a long press
            return true;
        },
        pointermove: (e) => {
            clearTimeout(rest);
            if (apart || !e.isPrimary) return true;
            if (e.pointerType === 'touch' && !held) return false;
            mouse(held ? 'drag' : 'move', e);
            tip(e);
            return true;
        },
        pointerup: up, pointercancel: up,
        contextmenu: (e) => e.pointerType !== '', // the key of the menu is the browser's
        wheel: (e) => !passes() && (wheel(e, e.deltaY < 0), true),
        touchstart: touch, touchmove: touch, touchend: touch, touchcancel: touch,
    };
    for (const [kind, act] of Object.entries(listeners))
        canvas.addEventListener(kind, (e) => { if (act(e) !== false) e.preventDefault(); }, { passive: false });
    canvas.addEventListener('focus', () => { leaves = false; });
    const press = (key) => send('key', key.replace(' ', 'space'));

    // Is the key the browser's? Tab enters the canvas, escape and tab leave it.
    function isBrowsers(e, key) {
        if (document.querySelector('dialog[open]') || e.isComposing || e.metaKey || !key) return true;
        if (key === 'Tab') return leaves || !here();
        if (/^(BUTTON|A)$/.test(document.activeElement?.tagName)) return /^(Enter| )$/.test(key);
        const alone = e.ctrlKey && !e.altKey; // both type a character
        return alone ? !control.test(key) : e.altKey && key.length > 1;
    }

    addEventListener('keydown', (e) => {
        const key = keyOf(e), keeps = isBrowsers(e, key);
        if (!/^(Tab|Shift)$/.test(e.key)) leaves = e.key === 'Escape';
        if (keeps) return;
        press(`${e.ctrlKey && !e.altKey ? 'C-' : ''}${e.shiftKey ? 'S-' : ''}${key}`);
        e.preventDefault();
    });
    const typed = () => [...(prompt('A number, or keys') || '').replace(/\p{C}/gu, '')];
    for (const b of document.querySelectorAll('nav button')) {
        b.onclick = (e) => {
            (b.dataset.key ? [b.dataset.key] : typed()).forEach(press);
            if (e.detail) canvas.focus(); // by mouse or finger: the next key is the program's
        };
    }
    document.documentElement.classList.toggle('framed', framed);
}
