/**
 * Markdown to HTML that is safe by construction: raw HTML is text, links lead to web and mail addresses or stay on this
 * site, and no picture is fetched from anywhere.
 */
import MarkdownIt, { type Env, type Token } from 'markdown-it'
import { escaped } from './escaped.js'

/** Colours code of a language; undefined: it cannot, and the code stays plain. */
export type Colouring = (code: string, language: string) => string | undefined

export interface Words {
  /** Name of the button that copies a piece of code. */
  readonly copyCode: string
  readonly table: string
  /** Stands before the address of a picture that is not loaded. */
  readonly picture: string
}

/** What a rendering goes by; links defined in the text are kept in it. */
export interface Environment extends Env {
  readonly words: Words
  readonly colour?: Colouring
  /** Characters of addresses that may still be written. */
  room?: number
}

export interface Block {
  readonly html: string
  /** Line of the text it begins at. */
  readonly line: number
}

/** Pictures that are part of the text itself. */
const inlinePicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+$/i
const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/** Of addresses beyond the length of the text: a long one that stands there once may be referred to a thousand times. */
const addressesMore = 500_000

/** Headings of a text stand below those of the page. */
const headingsBelow = 2

const markdown = new MarkdownIt({ html: false, linkify: true })
// `main.py` and `deploy.sh` are no addresses.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
markdown.validateLink = (address) => inlinePicture.test(address) || leadsSomewhere(address)

const { rules } = markdown.renderer
rules.fence = (tokens, index, _options, env) => codeBlock(tokens[index]!, known(env))
rules.code_block = rules.fence
rules.image = (tokens, index, _options, env) => picture(tokens, index, known(env))
rules.table_open = (_tokens, _index, _options, env) =>
  `<div class="table" role="region" tabindex="0" aria-label="${escaped(known(env).words.table)}"><table>\n`
rules.table_close = () => '</table></div>\n'
rules.heading_open = (tokens, index) => `<${lowered(tokens[index]!)}>`
rules.heading_close = (tokens, index) => `</${lowered(tokens[index]!)}>\n`
rules.link_open = (tokens, index, _options, env) => {
  const href = String(tokens[index]!.attrGet('href'))
  return leadsSomewhere(href) && hasRoom(href, known(env)) ? anchor(href) : '<a>'
}

/** The blocks a text is made of; none of them changes by what is written after the next one has begun. */
export function blocksOf(text: string, env: Environment): readonly Block[] {
  const blocks: Block[] = []
  env.room = text.length + addressesMore
  for (const tokens of topLevel(markdown.parse(text, env))) {
    const html = markdown.renderer.render(tokens, markdown.options, env)
    blocks.push({ html, line: tokens[0]!.map?.[0] ?? 0 })
  }
  return blocks
}

function known(env: Env | undefined): Environment {
  return env as Environment
}

/** Whether a link may lead there: to a web or mail address, or somewhere on this site. */
function leadsSomewhere(address: string): boolean {
  const ofThisSite = /^[/#]/.test(address) ? 'https://here.invalid' : undefined
  return URL.canParse(address, ofThisSite) && schemes.has(new URL(address, ofThisSite).protocol)
}

function* topLevel(tokens: Token[]): Generator<Token[]> {
  let begun: Token[] = []
  for (const token of tokens) {
    begun.push(token)
    if (token.level > 0 || token.nesting > 0) continue
    yield begun
    begun = []
  }
}

function codeBlock({ content, info }: Token, { words, colour }: Environment): string {
  const language = info.trim().split(/\s+/, 1)[0] ?? ''
  const code = colour?.(content, language) ?? escaped(content)
  return (
    `<div class="code"><div class="bar"><span>${escaped(language)}</span>` +
    `<button type="button" class="copy" data-copy aria-label="${escaped(words.copyCode)}" ` +
    `title="${escaped(words.copyCode)}"></button></div>` +
    `<pre tabindex="0"><code>${code}</code></pre></div>\n`
  )
}

/** Fetching a picture would show a stranger who reads, and when. */
function picture(tokens: Token[], index: number, env: Environment): string {
  const { words } = env
  const token = tokens[index]!
  const source = String(token.attrGet('src'))
  const name = token.content || words.picture
  if (!hasRoom(source, env)) return escaped(name)
  if (inlinePicture.test(source))
    return `<img src="${escaped(source)}" alt="${escaped(token.content)}">`
  const label = escaped(`${words.picture}: ${token.content || source}`)
  const within = openLinks(tokens.slice(0, index)) > 0
  return within || !leadsSomewhere(source) ? escaped(name) : `${anchor(source)}${label}</a>`
}

function hasRoom(address: string, env: Environment): boolean {
  env.room = (env.room ?? 0) - address.length
  return env.room >= 0
}

function openLinks(tokens: Token[]): number {
  const count = (type: string) => tokens.filter((token) => token.type === type).length
  return count('link_open') - count('link_close')
}

function anchor(href: string): string {
  return `<a href="${escaped(href)}" target="_blank" rel="noopener noreferrer nofollow">`
}

function lowered({ tag }: Token): string {
  return `h${Math.min(6, Number(tag.slice(1)) + headingsBelow)}`
}
