// A static host for a folder, as tests need it: host(folder, headers) listens on a free port of this
// machine; headers: does it set those that isolate a page?
const fs = require('fs');
const http = require('http');
const path = require('path');

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml',
    '.wasm': 'application/wasm', '.woff2': 'font/woff2' };
const isolating = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

exports.host = (folder, headers) => new Promise((ready) => {
    const server = http.createServer((request, answer) => {
        const name = decodeURIComponent(new URL(request.url, 'http://x').pathname);
        const file = path.join(folder, path.normalize(name === '/' ? '/index.html' : name));
        if (!fs.existsSync(file)) { answer.writeHead(404); answer.end(); return; }
        answer.writeHead(200, { 'Content-Type': types[path.extname(file)] || 'application/octet-stream', ...(headers ? isolating : {}) });
        fs.createReadStream(file).pipe(answer);
    });
    server.listen(0, '127.0.0.1', () => ready({ url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }));
});
