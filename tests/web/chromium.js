// Headless Chromium for tests: its start, its processor time, the time from a key to the screen.
const fs = require('fs');

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'];

// The browser, or a sentence: what it needs.
exports.launch = async () => {
    let playwright;
    try { playwright = require(process.env.PLAYWRIGHT || 'playwright-core'); } catch { return 'needs playwright-core (npm)'; }
    const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((name) => fs.existsSync(name));
    return executablePath ? playwright.chromium.launch({ executablePath, args: flags }) : 'needs chromium';
};

// Processor time of all processes below this one, in hundredths of a second.
exports.ticks = () => {
    const stats = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
        try {
            const words = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
            return { pid: +pid, parent: +words[1], ticks: +words[11] + +words[12] };
        } catch { return { pid: 0, parent: 0, ticks: 0 }; }
    });
    const ours = new Set([process.pid]);
    for (let grown = true; grown;) {
        const size = ours.size;
        for (const s of stats) if (ours.has(s.parent)) ours.add(s.pid);
        grown = ours.size > size;
    }
    return stats.filter((s) => ours.has(s.pid) && s.pid !== process.pid).reduce((sum, s) => sum + s.ticks, 0);
};

// Milliseconds from a key, k and K by turns, to the drawn frame that shows what it did; ascending.
exports.keyTimes = async (page, count) => {
    const times = [];
    for (let i = 0; i < count; i++) {
        times.push(await page.evaluate((key) => new Promise((done) => {
            const at = performance.now(), number = window.stencilscope.number + 1;
            window.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));
            (function look() { window.stencilscope.done >= number ? done(performance.now() - at) : setTimeout(look); })();
        }), i % 2 ? 'K' : 'k'));
        await page.waitForTimeout(60);
    }
    return times.sort((a, b) => a - b);
};
