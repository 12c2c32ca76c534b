// `stencilscope serve`, and pages of it that are sockets alone (ui/web/lines.h): they count what they
// are sent and decode nothing, since a hundred of them share a machine with the program.
const { spawn } = require('child_process');
const { once } = require('events');
const fs = require('fs');
const net = require('net');

const sleep = (seconds) => new Promise((done) => setTimeout(done, Math.max(0, 1e3 * seconds)));

const children = new Set();
const endAll = () => children.forEach((child) => child.kill('SIGKILL'));
process.on('exit', endAll);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

// --- processes -----------------------------------------------------------------------------------

const TICKS = 100; // of a processor's time, a second

function start(program, args) {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, OMP_WAIT_POLICY: 'passive' } });
    children.add(child);
    child.on('error', (e) => console.error(`${program}: ${e.message}`));
    child.ended = once(child, 'exit').then(() => children.delete(child));
    return child;
}

// Seconds of processor time of each thread.
const threads = (pid) => new Map(fs.readdirSync(`/proc/${pid}/task`).map((id) => {
    const words = fs.readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
    return [Number(id), (Number(words[11]) + Number(words[12])) / TICKS];
}));

const memory = (pid) => Number(/^VmRSS:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024; // MB

// The program with its two ports: pid, the threads main and net, port, watchPort, hello.
let servers = 0;
async function serve(program, ...args) {
    const watchPort = 20000 + (process.pid + 7 * servers++) % 12000; // below those of outgoing sockets
    const child = start(program, ['serve', ...args, '--backend', 'cpu', '--threads', '1', '--until', '0', '--port', '0', '--watch-port', watchPort]);
    let said = '';
    await new Promise((done) => child.stdout.on('data', (text) => { if (/to watch: .*\n/.test(said += text)) done(); }));
    const [, port, token] = /:(\d+)\/#t=(\w+)/.exec(said);
    // The thread that serves is the last one that was started: the engine waits for the first page.
    return { pid: child.pid, main: child.pid, net: Math.max(...threads(child.pid).keys()), port, watchPort,
        url: `http://127.0.0.1:${port}/#t=${token}`, hello: `hello 1 ${token}`, end: () => { child.kill('SIGINT'); return child.ended; } };
}

// --- pages ---------------------------------------------------------------------------------------

const HEAD = 'GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ss1\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
const TEXT = 1, BINARY = 2;

// Kind, length and place of a message; null: its head is not complete.
function headOf(b, at) {
    const short = b[at + 1] & 127, size = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (b.length < at + size) return null;
    return { kind: b[at] & 15, n: short < 126 ? short : short === 126 ? b.readUInt16BE(at + 2) : b.readUIntBE(at + 4, 6), from: at + size };
}

// A page. keep: how many bytes of each frame are handed to onFrame(bytes, length).
class Page {
    constructor(server, { pilot = false, keep = 0, onFrame = () => {} } = {}) {
        Object.assign(this, { frames: 0, bytes: 0, keep, onFrame, said: {}, left: 0, parts: [], rest: Buffer.alloc(0), open: false });
        this.waits = new Set();
        this.socket = net.connect(pilot ? server.port : server.watchPort, '127.0.0.1', () => this.socket.write(HEAD));
        this.socket.setNoDelay(true);
        this.socket.on('data', (chunk) => this.take(chunk));
        this.socket.on('error', () => this.close());
        this.begins = pilot ? [server.hello, 'size 1 1280 800'] : ['hello 1 -'];
        this.alive = setInterval(() => this.say('alive'), 1000);
    }

    // A line, masked with zeros.
    say(line) {
        if (this.open) this.socket.write(Buffer.concat([Buffer.from([0x80 | TEXT, 0x80 | line.length, 0, 0, 0, 0]), Buffer.from(line)]));
    }

    take(chunk) {
        let b = this.rest.length ? Buffer.concat([this.rest, chunk]) : chunk, at = 0;
        if (!this.open) {
            at = b.indexOf('\r\n\r\n') + 4;
            if (at === 3) { this.rest = b; return; }
            this.open = true;
            this.begins.forEach((line) => this.say(line));
        }
        for (;;) {
            if (!this.left) {
                const head = headOf(b, at);
                if (!head) break;
                [this.kind, this.left, this.size, at] = [head.kind, head.n, head.n, head.from];
            }
            const n = Math.min(this.left, b.length - at), done = this.size - this.left;
            const wanted = this.kind === BINARY ? Math.min(n, this.keep - done) : n;
            if (wanted > 0) this.parts.push(b.subarray(at, at + wanted));
            at += n;
            this.left -= n;
            if (this.left) break;
            this.finish(Buffer.concat(this.parts.splice(0)));
        }
        this.rest = this.left ? Buffer.alloc(0) : b.subarray(at);
    }

    finish(bytes) {
        if (this.kind === BINARY) {
            this.frames++;
            this.bytes += this.size;
            this.say('shown 1');
            this.onFrame(bytes, this.size);
        } else if (this.kind === TEXT) {
            const line = bytes.toString(), word = line.split(' ', 1)[0];
            this.said[word] = line.slice(word.length + 1); // the last of its kind
        }
        for (const wait of this.waits) if (wait.holds()) { this.waits.delete(wait); wait.done(performance.now()); }
    }

    // Until a condition holds after a message; the time.
    until(holds) {
        return holds() ? Promise.resolve(performance.now()) : new Promise((done) => this.waits.add({ holds, done }));
    }

    close() {
        clearInterval(this.alive);
        this.socket.destroy();
    }
}

module.exports = { start, endAll, threads, memory, serve, Page, sleep };
