/** Enter sends. With Shift it breaks the line, and where it ends the choice of a character it is no wish to send. */
export function isSendKey({ key, shiftKey, isComposing, keyCode }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !isComposing && keyCode !== 229
}
