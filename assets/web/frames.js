// Frames from messages: differences to the frame before (ui/stream/stream.h).
import { FORMAT, UNIT, TURN } from './ops.js';

// Numbers with the low byte first. The methods have the letters of both tables.
export class Reader {
    constructor(bytes) { this.bytes = bytes; this.at = 0; }
    b() { return this.bytes[this.at++]; }
    n() { return this.b() | this.b() << 8; }
    l() { return this.n() + this.n() * 65536; }
    s() { return this.n() << 16 >> 16; } // with sign
    c() { return this.s() / UNIT; }
    a() { return this.b() * 2 * Math.PI / TURN; }
    r() { return this.b() << 16 | this.b() << 8 | this.b(); }
    slice(n) { this.at += n; return this.bytes.subarray(this.at - n, this.at); }
}

const SAME = 0, PART = 1; // kinds of parts

// Cells come as differences from the cells to their left.
function undo(cells, cols) {
    for (let i = 0; i < cells.length; i++) if (i % cols) cells[i] += cells[i - 1];
}

function joined(...lists) {
    const all = new Uint8Array(lists.reduce((n, list) => n + list.length, 0));
    lists.reduce((at, list) => { all.set(list, at); return at + list.length; }, 0);
    return all;
}

// The beginning of a part of the frame before, and new bytes; an image has cells and a rest, too.
function readPart(m, kind, before) {
    const from = before.parts[m.n()], kept = m.l(), fresh = m.slice(m.l());
    const head = joined(kept ? from.bytes.subarray(0, kept) : [], fresh);
    if (kind === PART) return { bytes: head };
    const cols = m.n(), cells = m.slice(cols * m.n());
    undo(cells, cols);
    return { bytes: joined(head, cells, m.slice(m.l())) };
}

// The frame of a message; null: it needs another frame than `before`.
export function readFrame(bytes, before) {
    const m = new Reader(bytes), format = m.b(), serial = m.l(), base = m.l();
    if (format !== FORMAT) throw new Error('this page is of another version: load it again');
    if (base && base !== before?.serial) return null;
    const frame = { serial, w: m.n(), h: m.n(), pointer: m.b(), parts: [] };
    for (let left = m.n(); left > frame.parts.length;) {
        const kind = m.b(), first = kind === SAME && m.n();
        if (kind === SAME) frame.parts.push(...before.parts.slice(first, first + m.n()));
        else frame.parts.push(readPart(m, kind, base ? before : { parts: [] }));
    }
    return frame;
}
