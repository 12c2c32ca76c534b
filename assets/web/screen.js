// What both pages have: frames on the canvas; its keys, mouse and size as lines (ui/web/lines.h).
import { readFrame } from './frames.js';
import { drawFrame } from './player.js';
import { listen } from './input.js';

const canvas = document.querySelector('canvas'), status = document.querySelector('output');
const pointers = ['default', 'pointer', 'crosshair', 'ew-resize', 'ns-resize'];
const fonts = ['13px Inter', '600 13px Inter', '13px JetBrains Mono', '600 13px JetBrains Mono'];

export const say = (text) => { status.textContent = text; status.hidden = !text; };

// post(...words) sends a line. Tests read `frames`, `number` and `done`: how many were drawn; the
// numbers of the last event, and of the last that a frame shows.
export async function openScreen(post) {
    let frame = null, place = { x: 0, y: 0, scale: 1 };
    const send = (...line) => post(line[0], ++screen.number, ...line.slice(1));
    const draw = () => { if (frame) place = drawFrame(canvas, frame); };
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
    listen(canvas, send, (e) => {
        const box = canvas.getBoundingClientRect();
        return [across(e.clientX - box.x, place.x), across(e.clientY - box.y, place.y)];
    });
    new ResizeObserver(size).observe(canvas);
    await Promise.all(fonts.map((font) => document.fonts.load(font)));
    return screen;
}
