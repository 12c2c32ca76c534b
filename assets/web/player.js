// Plays the operations of a frame (ui/pen/ops.h) on a canvas.
import { ops, SMOOTH, HATCH, MONO, BOLD } from './ops.js';
import { Reader } from './frames.js';

// --- images ------------------------------------------------------------------------------------

const PITCH = 8, THICK = 2; // of hatches
const list = (n, one) => Array.from({ length: n }, one);

// Between two levels; 0, nothing to show, is no neighbour.
const between = (a, b, weight) => (a && b ? a + weight * (b - a) : a);

// Each pixel between the four cells around it: rows of cells are stretched once, then mixed.
function smoothInto(px, { level, palette, cols, rows, w, h }) {
    const wide = [new Float32Array(w), new Float32Array(w)], has = [-1, -1];
    const cell = new Int32Array(w), part = new Float32Array(w); // of the way to the next cell
    for (let x = 0; x < w; x++) {
        const at = Math.max((x + 0.5) * cols / w - 0.5, 0);
        cell[x] = Math.min(at, cols - 1);
        part[x] = cell[x] + 1 < cols ? at - cell[x] : 0;
    }
    const stretched = (y) => {
        const out = wide[y & 1], row = level.subarray(y * cols, (y + 1) * cols);
        for (let x = 0; has[y & 1] !== y && x < w; x++)
            out[x] = between(row[cell[x]], row[cell[x] + 1], part[x]);
        has[y & 1] = y;
        return out;
    };
    for (let y = 0, i = 0; y < h; y++) {
        const at = Math.max((y + 0.5) * rows / h - 0.5, 0), above = Math.floor(at);
        const way = at - above;
        const up = stretched(above), low = above + 1 < rows ? stretched(above + 1) : up;
        for (let x = 0; x < w; x++, i++) px[i] = palette[between(up[x], low[x], way) + 0.5 | 0];
    }
}

// A pixel has the cell at its upper left corner, as in the window.
function nearestInto(px, { level, palette, cols, rows, w, h }) {
    const column = Int32Array.from(list(w, (_, x) => Math.floor(x * cols / w)));
    for (let y = 0, i = 0; y < h; y++) {
        const row = Math.floor(y * rows / h) * cols;
        for (let x = 0; x < w; x++, i++) px[i] = palette[level[row + column[x]]];
    }
}

// Diagonal lines over rows of which nothing is known; they move with their row.
function hatchInto(px, im) {
    const { h, rows } = im, moved = PITCH * h - im.moved * Math.floor(h / rows);
    for (let i = 0; i < px.length; i++) {
        const y = Math.floor(i / im.w), line = (moved + y + i % im.w) % PITCH < THICK;
        if (im.unseen[Math.floor(y * rows / h)]) px[i] = line ? im.hatch : im.palette[0];
    }
}

// The pixels of an image.
function sheetOf(im) {
    const sheet = new OffscreenCanvas(im.w, im.h), to = sheet.getContext('2d');
    const data = to.createImageData(im.w, im.h), px = new Uint32Array(data.data.buffer);
    (im.smooth && (im.cols < im.w || im.rows < im.h) ? smoothInto : nearestInto)(px, im);
    if (im.unseen) hatchInto(px, im);
    to.putImageData(data, 0, 0);
    return sheet;
}

// --- operations --------------------------------------------------------------------------------

const joins = ['miter', 'round', 'bevel'], utf8 = new TextDecoder();
const words = 'Inter, sans-serif', mono = '"JetBrains Mono", monospace';
const css = (r, alpha = 1) => `rgb(${r >> 16} ${r >> 8 & 255} ${r & 255} / ${alpha})`;
const opaque = (r) => (255 << 24 | (r & 255) << 16 | (r & 0xff00) | r >> 16) >>> 0;
const paint = (ctx, style) => { ctx.fillStyle = ctx.strokeStyle = style; };
const same = (name) => (p, ...values) => p.ctx[name](...values); // the canvas's own
const last = (name) => (p) => { p.ctx[name](); p.ctx.beginPath(); }; // uses the path up

const play = {
    COLOR: (p, r, a) => paint(p.ctx, css(r, a / 255)),
    RAMP: (p, x0, y0, x1, y1, n) => {
        const ramp = p.ctx.createLinearGradient(x0, y0, x1, y1);
        for (let i = 0; i < n; i++) ramp.addColorStop(n > 1 ? i / (n - 1) : 0, css(p.m.r()));
        paint(p.ctx, ramp);
    },
    WIDTH: (p, w) => { p.ctx.lineWidth = w; },
    DASH: (p, n) => p.ctx.setLineDash(list(n, () => p.m.c())),
    JOIN: (p, j) => { p.ctx.lineJoin = joins[j]; },
    MOVE: same('moveTo'), LINE: same('lineTo'), RECT: same('rect'), ARC: same('arc'),
    ELLIPSE: (p, x, y, rx, ry) => {
        p.ctx.moveTo(x + rx, y);
        p.ctx.ellipse(x, y, rx, ry, 0, 0, 2 * Math.PI);
    },
    CLOSE: same('closePath'), FILL: last('fill'), FILL_KEEP: same('fill'), STROKE: last('stroke'),
    CLIP: last('clip'), SAVE: same('save'), RESTORE: same('restore'),
    CURVE: (p, x, y, w, h, n) => {
        p.ctx.save();
        p.ctx.rect(x, y, w, h);
        play.CLIP(p);
        for (let i = 0; i < n; i++) p.ctx.lineTo(p.m.c(), p.m.c());
        play.STROKE(p);
        p.ctx.restore();
    },
    TEXT: ({ ctx, m }, x, y, size, width, flags, n) => { // as wide as the layout took it to be
        const text = utf8.decode(m.slice(n)), family = flags & MONO ? mono : words;
        ctx.font = `${flags & BOLD ? 600 : 400} ${size}px ${family}`;
        ctx.letterSpacing = '0px';
        ctx.letterSpacing = `${(width - ctx.measureText(text).width) / text.length}px`;
        ctx.fillText(text, x, y);
    },
    PALETTE: (p, top) => { p.palette = Uint32Array.from(list(top + 1, () => opaque(p.m.r()))); },
    IMAGE: (p, x, y, w, h, cols, rows, flags) => {
        const im = { w, h, cols, rows, smooth: flags & SMOOTH, palette: p.palette };
        if (flags & HATCH) {
            [im.hatch, im.moved, im.unseen] = [opaque(p.m.r()), p.m.b(), p.m.slice(rows)];
        }
        im.level = p.m.slice(cols * rows);
        p.ctx.imageSmoothingEnabled = false;
        p.ctx.drawImage(p.part.sheet ||= sheetOf(im), x, y, w, h); // a part that stays keeps it
    },
};

const table = ops.map(([name, kinds]) => [play[name], [...kinds]]);

function playPart(ctx, part) {
    const m = new Reader(part.bytes), p = { ctx, m, part };
    ctx.save();
    ctx.beginPath();
    while (m.at < m.bytes.length) {
        const [act, kinds] = table[m.b()];
        act(p, ...kinds.map((kind) => m[kind]()));
    }
    ctx.restore();
}

// A frame begins with the colour of its ground.
function groundOf(part) {
    const m = new Reader(part.bytes), [act] = table[m.b()];
    return act === play.COLOR ? css(m.r()) : '#101418';
}

// Draws a frame in the middle of a canvas, as large as it fits. Returns its place: x, y and scale; and
// the colour of its ground.
export function drawFrame(canvas, { w, h, parts }) {
    const ctx = canvas.getContext('2d', { alpha: false });
    const scale = Math.min(canvas.width / w, canvas.height / h);
    const x = Math.floor((canvas.width - scale * w) / 2);
    const y = Math.floor((canvas.height - scale * h) / 2);
    const ground = groundOf(parts[0]);
    ctx.resetTransform();
    paint(ctx, ground);
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    ctx.setTransform(scale, 0, 0, scale, x, y);
    ctx.fontKerning = 'none';
    for (const part of parts) playPart(ctx, part);
    return { x, y, scale, ground };
}
