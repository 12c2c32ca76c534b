// A service worker for hosts that cannot set headers: shared memory needs an isolated page.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (e) => e.waitUntil(clients.claim()));
addEventListener('fetch', (e) => {
    if (new URL(e.request.url).origin !== location.origin) return;
    e.respondWith(fetch(e.request).then((got) => {
        if (got.status === 0) return got;
        const headers = new Headers(got.headers);
        headers.set('Cross-Origin-Opener-Policy', 'same-origin');
        headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
        return new Response(got.body, { status: got.status, statusText: got.statusText, headers });
    }));
});
