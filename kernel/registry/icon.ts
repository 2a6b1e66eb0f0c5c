/** The image a plugin ships of itself, as an address that pages show without another request. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const bytesMax = 16_384
const pngBegin = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** `fault`: what is wrong with it, as the end of a sentence. */
type IconReading = { readonly icon: string } | { readonly icon?: never; readonly fault: string }

/** A data URL of the image at `place`, relative to the manifest `where`. What pages show as an image runs no script of it. */
export function readIcon(place: string, where: string): IconReading {
  const path = join(dirname(where), place)
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined || !found.isFile()) return { fault: 'there is no such file' }
    if (found.size > bytesMax) return { fault: `it has more than ${bytesMax / 1024} KiB` }
    const bytes = readFileSync(path)
    const type = typeOf(bytes)
    if (type === undefined) return { fault: 'it is neither SVG nor PNG' }
    return { icon: `data:${type};base64,${bytes.toString('base64')}` }
  } catch {
    return { fault: 'it cannot be read' }
  }
}

function typeOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, pngBegin.length).equals(pngBegin)) return 'image/png'
  return /<svg[\s>]/.test(bytes.toString('utf8')) ? 'image/svg+xml' : undefined
}
