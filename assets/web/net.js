// The page of `stencilscope serve`: frames from a socket, keys and mouse into it (ui/web/lines.h).
import { drawFrame, fitCanvas, readFrame } from './player.js';
import { listen } from './input.js';
import { join } from './class.js';

const canvas = document.querySelector('canvas'), status = document.querySelector('output');
const token = new URLSearchParams(location.hash.slice(1)).get('t') || '-', SILENCE = 4000, LONGEST = 5000;
const pointers = ['default', 'pointer', 'crosshair', 'ew-resize', 'ns-resize'];
let socket, frame = null, place = { x: 0, y: 0, scale: 1 }, number = 0, wait = 250, heard = 0, queue = Promise.resolve();

const say = (text) => { status.textContent = text; status.hidden = !text; };
const post = (...words) => { if (socket?.readyState === WebSocket.OPEN) socket.send(words.join(' ')); };
const inflate = (data) => new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer();

// What the server says besides frames: a word, then its text.
const told = {
    done: (n) => { window.stencilscope.done = Number(n); },
    copy: (text) => navigator.clipboard?.writeText(text),
    say,
    ...join(post, token !== '-'),
};

async function show(data) {
    const next = readFrame(new Uint8Array(await inflate(data)), frame);
    if (!next) return post('again');
    frame = next;
    place = drawFrame(canvas, frame);
    canvas.style.cursor = pointers[frame.pointer];
    window.stencilscope.frames++;
    post('shown', frame.serial);
}

function size() {
    const [w, h] = fitCanvas(canvas);
    if (frame) place = drawFrame(canvas, frame);
    post('size', ++number, w, h);
}

function connect() {
    socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`, 'ss1');
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => { wait = 250; frame = null; post('hello', 1, token); size(); say(''); };
    socket.onmessage = ({ data }) => {
        heard = Date.now();
        const at = typeof data === 'string' ? data.indexOf(' ') : -1;
        queue = queue.then(() => (at >= 0 ? told[data.slice(0, at)]?.(data.slice(at + 1)) : show(data)))
            .catch((e) => say(e.message));
    };
    socket.onclose = ended;
    heard = Date.now();
}

function ended({ code, reason }) {
    const final = code === 1008 || code === 1001 && reason; // it was told why
    say(final ? reason : 'The connection to the program is cut; trying again …');
    if (!final) setTimeout(connect, wait = Math.min(2 * wait, LONGEST));
}

// A program that hangs, or a network that is gone, closes nothing.
function look() {
    post('alive');
    if (socket.onclose !== ended || Date.now() - heard <= SILENCE) return;
    socket.onclose = null;
    socket.close();
    ended({});
}

window.stencilscope = { frames: 0, done: 0, post, get number() { return number; } };
listen(canvas, (kind, ...words) => post(kind, ++number, ...words),
    (e) => [(e.clientX * devicePixelRatio - place.x) / place.scale, (e.clientY * devicePixelRatio - place.y) / place.scale]);
new ResizeObserver(size).observe(canvas);
await Promise.all(['13px Inter', '600 13px Inter', '13px "JetBrains Mono"', '600 13px "JetBrains Mono"'].map((f) => document.fonts.load(f)));
connect();
setInterval(look, 1000);
