/** Renders a text that grows at its end: only the last block is read anew, those before it are kept as they are. */
import { type Block, blocksOf, type Colouring, type Environment, type Words } from './parser.js'

/** Code that is still being written is coloured up to this length; all of it once it is complete. */
const colouredWhileGrowing = 6_000

export class GrowingText {
  private text = ''
  private kept: readonly string[] = []
  /** Where the last block begins, whose end is still open. */
  private openAt = 0
  private env: Environment

  constructor(
    private readonly words: Words,
    private readonly colour: Colouring | undefined,
  ) {
    this.env = { words, references: {} }
  }

  /** HTML of each block. `complete`: nothing more will come, so links to notes further down are resolved too. */
  render(text: string, complete: boolean): readonly string[] {
    const goesOn = !complete && text.startsWith(this.text)
    if (!goesOn) this.begin()
    this.text = text
    const open = text.slice(this.openAt)
    const blocks = blocksOf(open, { ...this.env, colour: complete ? this.colour : this.sparing() })
    if (complete) return blocks.map(({ html }) => html)
    const shown = [...this.kept, ...blocks.map(({ html }) => html)]
    this.keep(blocks, open)
    return shown
  }

  private begin(): void {
    this.env = { words: this.words, references: {} }
    this.kept = []
    this.openAt = 0
  }

  private keep(blocks: readonly Block[], open: string): void {
    const last = blocks.at(-1)
    if (last === undefined || blocks.length < 2) return
    this.kept = [...this.kept, ...blocks.slice(0, -1).map(({ html }) => html)]
    this.openAt += startOfLine(open, last.line)
  }

  private sparing(): Colouring | undefined {
    const { colour } = this
    if (colour === undefined) return undefined
    return (code, language) =>
      code.length > colouredWhileGrowing ? undefined : colour(code, language)
  }
}

function startOfLine(text: string, line: number): number {
  let at = 0
  for (let passed = 0; passed < line; passed += 1) at = text.indexOf('\n', at) + 1
  return at
}
