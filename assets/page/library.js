// Functions of ui/page/post.h, which emscripten links with the program: on the page's thread they call
// those of page.js. Memory is shared between threads; a page wants bytes of its own.
mergeInto(LibraryManager.library, {
    ss_page_post_frame__proxy: 'async',
    ss_page_post_frame__sig: 'viii',
    ss_page_post_frame: function (data, n, done) { Module['frame'](HEAPU8.slice(data, data + n), done); },
    ss_page_post_text__proxy: 'sync',
    ss_page_post_text__sig: 'vii',
    ss_page_post_text: function (what, text) { Module[UTF8ToString(what)](UTF8ToString(text)); },
});
