/**
 * `Content-Disposition` of a file that is to be saved (RFC 6266). The plain name is for readers of the older form: what is not
 * ASCII, or would end the quoted text, is `_` there. The other form holds every character, as percent-encoded UTF-8.
 */
export function attachment(fileName: string): string {
  const name = fileName.replace(unsafe, '_').slice(0, charactersMax) || 'file'
  const plain = name.replace(/[^\x20-\x7e]|["%]/gu, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${percentEncoded(name)}`
}

/** Controls, what browsers read as a folder, and what turns the order of characters so that an ending looks like another. */
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}/\\]/gu

const charactersMax = 120

/** `attr-char` of RFC 8187 stay as they are. */
function percentEncoded(text: string): string {
  return Array.from(Buffer.from(text), (byte) => {
    const character = String.fromCharCode(byte)
    return /[A-Za-z0-9!#$&+.^_`|~-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}
