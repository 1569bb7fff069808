// Submit the form of a page that a link in an e-mail opened: one tap is enough, and programs that check links run no scripts.

document.querySelector("form[data-one-tap]")?.requestSubmit();
