/** Names as an upstream lists them, made fit for the list of a channel: nothing invisible, nothing endless, each once. */

const charactersMax = 256

/** What cannot be seen is taken out; what is no name then, or none a channel's list can hold, is left out. */
export function tidied(names: readonly string[]): readonly string[] {
  const tidy = names.map((name) => name.replace(invisible, '').trim().normalize('NFC'))
  return [...new Set(tidy)].filter(isName)
}

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Lists of models are written with commas. */
function isName(name: string): boolean {
  return name !== '' && !name.includes(',') && [...name].length <= charactersMax
}
