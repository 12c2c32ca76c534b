// Why the page does not start. A script of its own, since the others may be what is missing.
let reason = '';
function because(text) {
    const tell = () => { document.querySelector('output').textContent = reason; };
    reason ||= text;
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', tell);
    else tell();
}
addEventListener('error', ({ target }) => {
    if (target.tagName === 'SCRIPT') because(`${target.getAttribute('src')} could not be loaded: this site lacks a file.`);
}, true);
if (location.protocol === 'file:')
    because('A browser does not start the program from a file. Serve this folder: python3 -m http.server, then open http://localhost:8000/.');
