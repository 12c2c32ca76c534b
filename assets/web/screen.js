// What both pages have: frames on the canvas; its keys, mouse and size as lines (ui/web/lines.h).
import { readFrame } from './frames.js';
import { drawFrame } from './player.js';
import { listen } from './input.js';

const canvas = document.querySelector('canvas'), status = document.querySelector('output');
const pointers = ['default', 'pointer', 'crosshair', 'ew-resize', 'ns-resize'];
const fonts = ['13px Inter', '600 13px Inter', '13px JetBrains Mono', '600 13px JetBrains Mono'];

export const say = (text) => { status.textContent = text; status.hidden = !text; };

// What the browser keeps for the page, or, where it keeps nothing, the page for itself.
const kept = new Map();
export const store = {
    get(name) { try { return localStorage.getItem(name); } catch { return kept.get(name) ?? null; } },
    set(name, text) { try { localStorage.setItem(name, text); } catch { kept.set(name, text); } },
};

// A dialog with a text and a button for each answer. Resolves to the answer, '' with escape.
export function ask(words, text, answers) {
    const dialog = document.querySelector('dialog'), [p, pre, form] = dialog.children;
    p.textContent = words;
    pre.textContent = text;
    form.replaceChildren(...Object.entries(answers).map(([value, label]) =>
        Object.assign(document.createElement('button'), { value, textContent: label })));
    dialog.returnValue = '';
    if (!dialog.open) dialog.showModal();
    return new Promise((done) => { dialog.onclose = () => done(dialog.returnValue); });
}

// Copies a text. Where the browser refuses, the user can do it: it is shown and selected. Resolves to
// whether it was copied.
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        ask('The browser refused the clipboard. This is selected, to be copied:', text, { close: 'Close' });
        getSelection().selectAllChildren(document.querySelector('dialog pre'));
        return false;
    }
}

// post(...words) sends a line. steers: keys and the mouse are the program's. Tests read `frames`, `number` and `done`: how many were drawn; the
// numbers of the last event, and of the last that a frame shows.
export async function openScreen(post, steers = true) {
    let frame = null, place = { x: 0, y: 0, scale: 1 };
    const send = (...line) => post(line[0], ++screen.number, ...line.slice(1));
    const draw = () => {
        if (!frame) return;
        place = drawFrame(canvas, frame);
        document.documentElement.style.background = place.ground; // the canvas has bands in this colour, too
    };
    const screen = window.stencilscope = { frames: 0, number: 0, done: 0, show, size,
        forget: () => { frame = null; } };

    // Draws the frame of a message. Returns its serial; 0: it needs another frame before.
    function show(bytes) {
        const next = readFrame(bytes, frame);
        if (!next) return 0;
        frame = next;
        draw();
        canvas.style.cursor = pointers[frame.pointer];
        screen.frames++;
        return frame.serial;
    }

    // The canvas has a pixel for each of the display.
    function size() {
        canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
        canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
        draw();
        send('size', canvas.clientWidth, canvas.clientHeight);
    }

    const across = (v, from) => ((v * devicePixelRatio - from) / place.scale).toFixed(1);
    const placeOf = (e) => {
        const box = canvas.getBoundingClientRect();
        return [across(e.clientX - box.x, place.x), across(e.clientY - box.y, place.y)];
    };
    if (steers) listen(canvas, send, placeOf);
    document.body.classList.toggle('watches', !steers);
    new ResizeObserver(size).observe(canvas);
    await Promise.all(fonts.map((font) => document.fonts.load(font)));
    return screen;
}
