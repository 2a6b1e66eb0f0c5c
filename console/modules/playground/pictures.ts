/** Pictures added to a message: known by their first bytes, bounded in size and number, and kept as data URLs. */
import type { Picture } from './conversation.js'

export const pictureBytesMax = 5 * 1024 * 1024
export const picturesMax = 8

type PictureFault = 'kind' | 'size' | 'number'

/** What was added, and of what was not the reason, by name of the file. */
export interface Taken {
  readonly pictures: readonly Picture[]
  readonly faults: readonly { readonly name: string; readonly fault: PictureFault }[]
}

export async function takePictures(files: readonly File[], already: number): Promise<Taken> {
  const pictures: Picture[] = []
  const faults: { name: string; fault: PictureFault }[] = []
  for (const file of files) {
    const read = already + pictures.length < picturesMax ? await pictureOf(file) : 'number'
    if (typeof read === 'string') faults.push({ name: file.name, fault: read })
    else pictures.push(read)
  }
  return { pictures, faults }
}

async function pictureOf(file: File): Promise<Picture | PictureFault> {
  if (file.size > pictureBytesMax) return 'size'
  const bytes = new Uint8Array(await file.arrayBuffer())
  const kind = kindOf(bytes)
  if (kind === undefined) return 'kind'
  return { name: file.name, url: `data:${kind};base64,${base64(bytes)}` }
}

const signs = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
] as const

function kindOf(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  return signs.find(([, sign]) => sign.test(head))?.[0]
}

/** In pieces: one call takes only so many letters. */
function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  }
  return btoa(text)
}
