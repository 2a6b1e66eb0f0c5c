/**
 * HTML of the operator as nodes of our own making: known elements, hardly any attributes, and addresses that lead to
 * pages. Whatever else it holds, such as a script or a style, does not become part of the page.
 */
import { defineComponent, h, type VNodeChild } from 'vue'

const kept: ReadonlySet<string> = new Set(
  [
    'a abbr b blockquote br center code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins',
    'kbd li mark ol p pre q s section small span strong sub summary sup table tbody td tfoot th thead tr u ul',
  ]
    .join(' ')
    .split(' '),
)

/** With all that is in them. */
const dropped: ReadonlySet<string> = new Set(
  'script style template iframe object embed noscript svg math title head'.split(' '),
)

const depthMax = 40

export default defineComponent({
  props: { html: { type: String, required: true } },
  setup: (props) => () => {
    // Documents made this way load nothing and run nothing.
    const { body } = new DOMParser().parseFromString(quiet(props.html), 'text/html')
    return h('div', childrenOf(body, 0))
  },
})

/** Browsers complain of handlers as soon as they read them, though none would run: they are gone before. */
function quiet(html: string): string {
  return html.replace(/<[^>]*>/g, (tag) =>
    tag.replace(/([\s/"'])on[a-z]+\s*=/gi, '$1data-dropped='),
  )
}

function childrenOf(parent: Node, depth: number): VNodeChild[] {
  if (depth > depthMax) return []
  return [...parent.childNodes].flatMap((node) => made(node, depth + 1))
}

function made(node: Node, depth: number): VNodeChild[] {
  if (node.nodeType === Node.TEXT_NODE) return [node.textContent ?? '']
  if (!(node instanceof Element)) return []
  const tag = node.localName
  if (dropped.has(tag)) return []
  const children = childrenOf(node, depth)
  if (!kept.has(tag)) return children
  return [
    h(tagOf(tag), attributesOf(node, tag), tag === 'img' || tag === 'br' ? undefined : children),
  ]
}

/** The page has its own first heading. */
function tagOf(tag: string): string {
  if (tag === 'center') return 'div'
  return tag === 'h1' ? 'h2' : tag
}

function attributesOf(node: Element, tag: string): Record<string, string> {
  if (tag === 'a') return linkTo(node.getAttribute('href') ?? '')
  if (tag === 'img') return pictureOf(node)
  return tag === 'center' ? { style: 'text-align: center' } : {}
}

function linkTo(address: string): Record<string, string> {
  if (/^(?:\/(?![/\\])|#)/.test(address)) return { href: address }
  const known = URL.canParse(address) && /^(?:https?|mailto):$/.test(new URL(address).protocol)
  return known ? { href: address, target: '_blank', rel: 'noopener noreferrer nofollow' } : {}
}

/** Pictures come from this gateway or stand in the text; the policy of pages lets no others in. */
function pictureOf(node: Element): Record<string, string> {
  const source = node.getAttribute('src') ?? ''
  const alt = node.getAttribute('alt') ?? ''
  const isOurs = /^(?:\/(?![/\\])|data:image\/(?:png|jpeg|gif|webp);base64,)/.test(source)
  return isOurs ? { src: source, alt, loading: 'lazy' } : { alt }
}
