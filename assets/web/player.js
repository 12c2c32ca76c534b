// Frames from messages (ui/stream/message.h), and their operations (ui/pen/ops.h) on a canvas.
import { ops, UNIT, TURN, SMOOTH, HATCH, MONO, BOLD } from './ops.js';

const joins = ['miter', 'round', 'bevel'], PITCH = 8, THICK = 2;

// Numbers with the low byte first.
class Reader {
    constructor(bytes) { this.bytes = bytes; this.at = 0; }
    get more() { return this.at < this.bytes.length; }
    take(n) {
        let v = 0;
        for (let i = 0; i < n; i++) v += this.bytes[this.at++] * 2 ** (8 * i);
        return v;
    }
    signed() { const v = this.take(2); return v < 32768 ? v : v - 65536; }
    slice(n) { this.at += n; return this.bytes.subarray(this.at - n, this.at); }
}

// --- messages -------------------------------------------------------------------------------------

// What a cell is expected to be: left, gradient, before, moved.
function undo(filter, out, at, cols, rows, before, moved) {
    for (let y = 0, i = at; y < rows; y++) {
        const from = y - (filter === 3 ? moved : 0), row = i;
        const known = filter >= 2 && from >= 0 && from < rows ? before : null;
        for (let x = 0, b = from * cols; x < cols; x++, i++) {
            const left = x > 0 ? out[i - 1] : 0;
            if (known) out[i] += known[b + x];
            else if (filter !== 1 || y === 0) out[i] += left;
            else out[i] += x > 0 ? left + out[i - cols] - out[i - cols - 1] : out[row - cols];
        }
    }
}

function readText(m, before, more) {
    const from = before.parts[m.take(2)], kept = m.take(4), fresh = m.take(4);
    const bytes = new Uint8Array(kept + fresh + more);
    if (kept) bytes.set(from.bytes.subarray(0, kept));
    bytes.set(m.slice(fresh), kept);
    return { bytes, from, used: kept + fresh };
}

function readImage(m, before) {
    const head = readText(m, before, 0), filter = m.take(1), moved = m.signed();
    const cols = m.take(2), rows = m.take(2), n = cols * rows, levels = m.slice(n);
    const rest = m.slice(m.take(4)), bytes = new Uint8Array(head.used + n + rest.length);
    const old = filter >= 2 ? head.from.bytes.subarray(head.from.levels) : null;
    bytes.set(head.bytes);
    bytes.set(levels, head.used);
    undo(filter, bytes, head.used, cols, rows, old, moved);
    bytes.set(rest, head.used + n);
    return { bytes, levels: head.used };
}

// The frame of a message; null: it needs another frame than `before`.
export function readFrame(bytes, before) {
    const m = new Reader(bytes), version = m.take(1), serial = m.take(4), base = m.take(4);
    if (version !== 2) throw new Error('this page is of another version: load it again');
    if (base && base !== before?.serial) return null;
    if (!base) before = { parts: [] };
    const frame = { serial, w: m.take(2), h: m.take(2), pointer: m.take(1), parts: [] };
    for (let left = m.take(2); left > frame.parts.length;) {
        const kind = m.take(1);
        if (kind === 0) {
            const first = m.take(2);
            frame.parts.push(...before.parts.slice(first, first + m.take(2)));
        } else {
            frame.parts.push(kind === 1 ? readText(m, before, 0) : readImage(m, before));
        }
    }
    return frame;
}

// --- images ---------------------------------------------------------------------------------------

// Between two levels; 0, nothing to show, is no neighbour.
const between = (a, b, weight) => (a && b ? a + weight * (b - a) : a);

// Each pixel between the four cells around it: rows of cells are stretched once, then mixed.
function smoothInto(px, im) {
    const { cols, rows, w, h } = im, wide = [new Float32Array(w), new Float32Array(w)], has = [-1, -1];
    const left = new Int32Array(w), weight = new Float32Array(w);
    for (let x = 0; x < w; x++) {
        const f = Math.max((x + 0.5) * cols / w - 0.5, 0);
        left[x] = Math.min(f, Math.max(cols - 2, 0));
        weight[x] = Math.min(f - left[x], 1);
    }
    const widened = (y) => {
        const out = wide[y & 1], row = im.level.subarray(y * cols), right = cols > 1 ? 1 : 0;
        for (let x = 0; has[y & 1] !== y && x < w; x++) out[x] = between(row[left[x]], row[left[x] + right], weight[x]);
        has[y & 1] = y;
        return out;
    };
    for (let y = 0, i = 0; y < h; y++) {
        const f = Math.max((y + 0.5) * rows / h - 0.5, 0), y0 = Math.floor(f);
        const up = widened(y0), down = y0 + 1 < rows ? widened(y0 + 1) : up;
        for (let x = 0; x < w; x++, i++) px[i] = im.palette[between(up[x], down[x], f - y0) + 0.5 | 0];
    }
}

// A pixel has the cell at its upper left corner, as in the window.
function nearestInto(px, im) {
    const column = Int32Array.from({ length: im.w }, (_, x) => Math.floor(x * im.cols / im.w));
    for (let y = 0, i = 0; y < im.h; y++) {
        const row = Math.floor(y * im.rows / im.h) * im.cols;
        for (let x = 0; x < im.w; x++, i++) px[i] = im.palette[im.level[row + column[x]]];
    }
}

// Diagonal lines over rows of which nothing is known; they move with their row.
function hatchInto(px, im) {
    for (let y = 0, i = 0; y < im.h; y++) {
        const first = PITCH * im.h + y - im.moved * Math.floor(im.h / im.rows), unseen = im.unseen[Math.floor(y * im.rows / im.h)];
        for (let x = 0; x < im.w; x++, i++) if (unseen) px[i] = (first + x) % PITCH < THICK ? im.hatch : im.palette[0];
    }
}

// The pixels of an image.
function sheetOf(im) {
    const sheet = new OffscreenCanvas(im.w, im.h), to = sheet.getContext('2d'), data = to.createImageData(im.w, im.h);
    const px = new Uint32Array(data.data.buffer);
    (im.smooth && (im.cols < im.w || im.rows < im.h) ? smoothInto : nearestInto)(px, im);
    if (im.unseen) hatchInto(px, im);
    to.putImageData(data, 0, 0);
    return sheet;
}

// --- operations -----------------------------------------------------------------------------------

const utf8 = new TextDecoder(), css = (r) => `rgb(${r >> 16} ${r >> 8 & 255} ${r & 255})`;
const opaque = (r) => (255 << 24 | (r & 255) << 16 | (r & 0xff00) | r >> 16) >>> 0;
const color = (m) => m.take(1) << 16 | m.take(1) << 8 | m.take(1);
const take = { r: color, a: (m) => m.take(1) * 2 * Math.PI / TURN, b: (m) => m.take(1), n: (m) => m.take(2) };
const length = (m) => m.signed() / UNIT;
const paint = (p, style) => { p.ctx.fillStyle = p.ctx.strokeStyle = style; };
const used = (p) => p.ctx.beginPath();

const play = {
    COLOR: (p, r, a) => paint(p, `rgb(${r >> 16} ${r >> 8 & 255} ${r & 255} / ${a / 255})`),
    RAMP: (p, x0, y0, x1, y1, n) => {
        const ramp = p.ctx.createLinearGradient(x0, y0, x1, y1);
        for (let i = 0; i < n; i++) ramp.addColorStop(n > 1 ? i / (n - 1) : 0, css(color(p.m)));
        paint(p, ramp);
    },
    WIDTH: (p, w) => { p.ctx.lineWidth = w; },
    DASH: (p, n) => p.ctx.setLineDash(Array.from({ length: n }, () => length(p.m))),
    JOIN: (p, j) => { p.ctx.lineJoin = joins[j]; },
    MOVE: (p, x, y) => p.ctx.moveTo(x, y),
    LINE: (p, x, y) => p.ctx.lineTo(x, y),
    RECT: (p, x, y, w, h) => p.ctx.rect(x, y, w, h),
    ARC: (p, x, y, r, from, to) => p.ctx.arc(x, y, r, from, to),
    ELLIPSE: (p, x, y, rx, ry) => { p.ctx.moveTo(x + rx, y); p.ctx.ellipse(x, y, rx, ry, 0, 0, 2 * Math.PI); },
    CLOSE: (p) => p.ctx.closePath(),
    FILL: (p) => { p.ctx.fill(); used(p); },
    FILL_KEEP: (p) => p.ctx.fill(),
    STROKE: (p) => { p.ctx.stroke(); used(p); },
    CLIP: (p) => { p.ctx.clip(); used(p); },
    SAVE: (p) => p.ctx.save(),
    RESTORE: (p) => p.ctx.restore(),
    CURVE: (p, x, y, w, h, n) => {
        p.ctx.save();
        p.ctx.rect(x, y, w, h);
        play.CLIP(p);
        for (let i = 0; i < n; i++) p.ctx.lineTo(length(p.m), length(p.m));
        play.STROKE(p);
        p.ctx.restore();
    },
    TEXT: (p, x, y, size, width, flags, n) => { // as wide as the layout took it to be
        const text = utf8.decode(p.m.slice(n));
        p.ctx.font = `${flags & BOLD ? '600 ' : ''}${size}px ${flags & MONO ? '"JetBrains Mono", monospace' : 'Inter, sans-serif'}`;
        p.ctx.letterSpacing = '0px';
        p.ctx.letterSpacing = `${(width - p.ctx.measureText(text).width) / text.length}px`;
        p.ctx.fillText(text, x, y);
    },
    PALETTE: (p, top) => { p.palette = Uint32Array.from({ length: top + 1 }, () => opaque(color(p.m))); },
    IMAGE: (p, x, y, w, h, cols, rows, flags) => {
        const im = { x, y, w, h, cols, rows, smooth: flags & SMOOTH, palette: p.palette };
        if (flags & HATCH) { im.hatch = opaque(color(p.m)); im.moved = p.m.take(1); im.unseen = p.m.slice(rows); }
        im.level = p.m.slice(cols * rows);
        p.ctx.imageSmoothingEnabled = false;
        p.ctx.drawImage(p.part.sheet ||= sheetOf(im), x, y, w, h); // a part that stays keeps its pixels
    },
};

function playPart(ctx, part) {
    const m = new Reader(part.bytes), p = { ctx, m, part, palette: null };
    ctx.save();
    used(p);
    while (m.more) {
        const [name, list] = ops[m.take(1)];
        play[name](p, ...[...list].map((kind) => (take[kind] || length)(m)));
    }
    ctx.restore();
}

// Draws a frame in the middle of a canvas, as large as it fits. Returns its place: x, y and scale.
export function drawFrame(canvas, frame) {
    const ctx = canvas.getContext('2d', { alpha: false });
    const scale = Math.min(canvas.width / frame.w, canvas.height / frame.h);
    const x = Math.floor((canvas.width - scale * frame.w) / 2), y = Math.floor((canvas.height - scale * frame.h) / 2);
    ctx.setTransform(scale, 0, 0, scale, x, y);
    ctx.fontKerning = 'none';
    for (const part of frame.parts) playPart(ctx, part);
    return { x, y, scale };
}

// Gives a canvas the pixels of its place on the screen. Returns its size in pixels of the page.
export function fitCanvas(canvas) {
    const ratio = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
    return [w, h];
}
