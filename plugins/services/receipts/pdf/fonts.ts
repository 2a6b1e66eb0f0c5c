/**
 * The fonts of a page, of open licences. A file is read when a character needs it first and stays open with whoever made the
 * fonts; of each only the characters a page shows are embedded in it.
 */
import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'

export type Weight = 'regular' | 'bold'

export interface Face {
  readonly name: string
  /** In place of the bytes of its file, for pdfkit. */
  readonly handle: Buffer
}

/** The first face that holds a whole cluster of characters; undefined: none does. */
export type Fonts = (cluster: string, weight: Weight) => Face | undefined

/**
 * Latin, Greek, Cyrillic and Devanagari; then Chinese, Japanese syllables and signs. The first that holds a character shows it. The
 * build copies them from their packages as `fonts.json` states, so that what runs carries two weights and not all there are.
 */
const files: Readonly<Record<Weight, readonly string[]>> = {
  regular: ['NotoSans-Regular.ttf', 'NotoSansSC-Regular.ttf'],
  bold: ['NotoSans-Bold.ttf', 'NotoSansSC-Bold.ttf'],
}

interface OpenFace extends Face {
  readonly font: fontkit.Font
}

export function createFonts(): Fonts {
  const open = new Map<string, OpenFace>()
  const byHandle = keepOpen()

  function faceIn(file: string): OpenFace {
    const known = open.get(file)
    if (known !== undefined) return known
    const bytes = readFileSync(new URL(`./fonts/${file}`, import.meta.url))
    const face = {
      name: file,
      handle: Buffer.alloc(4),
      font: fontkit.create(bytes) as fontkit.Font,
    }
    open.set(file, face)
    byHandle.set(face.handle, face.font)
    return face
  }

  return (cluster, weight) => {
    const codePoints = Array.from(cluster, (character) => character.codePointAt(0)!)
    for (const file of files[weight]) {
      const face = faceIn(file)
      if (codePoints.every((codePoint) => face.font.hasGlyphForCodePoint(codePoint))) return face
    }
    return undefined
  }
}

/**
 * pdfkit opens a font anew for each document, and to read its tables takes longer than to set the page. So it is given a handle,
 * which this format of fontkit opens as the font that is open already, with glyphs of its own: those remember for which
 * characters they were taken first.
 */
function keepOpen(): WeakMap<Uint8Array, fontkit.Font> {
  const byHandle = new WeakMap<Uint8Array, fontkit.Font>()
  class OpenFont {
    static probe(bytes: Uint8Array): boolean {
      return byHandle.has(bytes)
    }

    constructor({ buffer }: { readonly buffer: Uint8Array }) {
      // biome-ignore lint/correctness/noConstructorReturn: fontkit makes fonts by `new`.
      return Object.create(byHandle.get(buffer)!, { _glyphs: { value: {} } })
    }
  }
  formats.registerFormat(OpenFont)
  return byHandle
}

/** What its types leave out. */
const formats = fontkit as unknown as { registerFormat(format: object): void }
