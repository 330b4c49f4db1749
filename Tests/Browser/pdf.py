"""Reads PDF documents by poppler, which libvips brings along."""

import ctypes


def pages(document):
    """The width and height of each page in points, and its text; None where poppler isn't installed."""
    try:
        glib, poppler = ctypes.CDLL("libglib-2.0.so.0"), ctypes.CDLL("libpoppler-glib.so.8")
    except OSError:
        return None
    glib.g_bytes_new.restype = ctypes.c_void_p
    poppler.poppler_document_new_from_bytes.restype = ctypes.c_void_p
    poppler.poppler_document_get_page.restype = ctypes.c_void_p
    poppler.poppler_page_get_text.restype = ctypes.c_char_p
    content = ctypes.c_void_p(glib.g_bytes_new(document, ctypes.c_size_t(len(document))))
    opened = poppler.poppler_document_new_from_bytes(content, None, None)
    if not opened:
        return []
    opened = ctypes.c_void_p(opened)
    found = []
    for number in range(poppler.poppler_document_get_n_pages(opened)):
        page = ctypes.c_void_p(poppler.poppler_document_get_page(opened, number))
        width, height = ctypes.c_double(), ctypes.c_double()
        poppler.poppler_page_get_size(page, ctypes.byref(width), ctypes.byref(height))
        found.append((width.value, height.value, poppler.poppler_page_get_text(page).decode()))
    return found
