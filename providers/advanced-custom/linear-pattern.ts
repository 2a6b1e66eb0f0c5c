/**
 * Regular expressions without backtracking: a pattern becomes an automaton whose states advance together, so a name is
 * judged in the time of its length, whatever the pattern (X4). Characters, `.`, `\d`, `\w`, escaped signs,
 * sets, groups, alternatives and the repeats `*`, `+`, `?`; always for the whole name.
 */

type Test = (character: string) => boolean

type Node =
  | { readonly kind: 'one'; readonly test: Test }
  | { readonly kind: 'all'; readonly nodes: readonly Node[] }
  | { readonly kind: 'any'; readonly nodes: readonly Node[] }
  | { readonly kind: 'repeat'; readonly sign: string; readonly node: Node }

/** Advances by a character that passes the test; without a test it stands for the states behind it. */
interface State {
  readonly test?: Test
  next: readonly number[]
}

/** Answers whether a name matches. Throws a `SyntaxError` for what is not taken. */
export function linearPattern(source: string): (name: string) => boolean {
  const states: State[] = [{ next: [] }]
  const end = 0
  const start = emit(new Parser(source).parse(), end, states)
  return (name) => {
    let now = reached([start], states)
    for (const character of name) {
      const passed = [...now].flatMap((at) => {
        const { test, next } = states[at]!
        return test?.(character) === true ? next : []
      })
      if (passed.length === 0) return false
      now = reached(passed, states)
    }
    return now.has(end)
  }
}

/** The states that stand, with all that are reached without a character. */
function reached(from: readonly number[], states: readonly State[]): Set<number> {
  const found = new Set<number>()
  const open = [...from]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (found.has(at)) continue
    found.add(at)
    const { test, next } = states[at]!
    if (test === undefined) open.push(...next)
  }
  return found
}

/** Adds the states of a node that lead to `next`; answers where it begins. */
function emit(node: Node, next: number, states: State[]): number {
  const add = (state: State) => states.push(state) - 1
  if (node.kind === 'one') return add({ test: node.test, next: [next] })
  if (node.kind === 'all')
    return node.nodes.reduceRight((then, one) => emit(one, then, states), next)
  if (node.kind === 'any') return add({ next: node.nodes.map((one) => emit(one, next, states)) })
  if (node.sign === '?') return add({ next: [emit(node.node, next, states), next] })
  const again = add({ next: [] })
  const start = emit(node.node, again, states)
  states[again]!.next = [start, next]
  return node.sign === '+' ? start : again
}

class Parser {
  private at = 0

  constructor(private readonly source: string) {}

  parse(): Node {
    const node = this.alternatives()
    if (this.at < this.source.length) throw this.fault()
    return node
  }

  private alternatives(): Node {
    const nodes = [this.sequence()]
    while (this.take('|')) nodes.push(this.sequence())
    return nodes.length === 1 ? nodes[0]! : { kind: 'any', nodes }
  }

  private sequence(): Node {
    const nodes: Node[] = []
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at]!)) {
      nodes.push(this.repeated(this.single()))
    }
    return { kind: 'all', nodes }
  }

  private repeated(node: Node): Node {
    const sign = this.source[this.at]
    if (sign === undefined || !'*+?'.includes(sign)) return node
    this.at += 1
    return { kind: 'repeat', sign, node }
  }

  private single(): Node {
    if (this.take('(')) return this.group()
    if (this.take('[')) return { kind: 'one', test: this.set() }
    if (this.take('.')) return { kind: 'one', test: () => true }
    return { kind: 'one', test: this.character() }
  }

  private group(): Node {
    this.take('?:')
    const node = this.alternatives()
    if (!this.take(')')) throw this.fault()
    return node
  }

  private set(): Test {
    const isNegated = this.take('^')
    const tests: Test[] = []
    while (this.at < this.source.length && this.source[this.at] !== ']') tests.push(this.range())
    if (!this.take(']') || tests.length === 0) throw this.fault()
    return (character) => tests.some((test) => test(character)) !== isNegated
  }

  private range(): Test {
    const found = /^([a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d)/.exec(this.source.slice(this.at))?.[1]
    if (found !== undefined) {
      this.at += found.length
      return (character) => character >= found[0]! && character <= found[2]!
    }
    if (this.source[this.at] === '\\') return this.character()
    const sign = this.source[this.at]!
    this.at += 1
    return (character) => character === sign
  }

  private character(): Test {
    const sign = this.source[this.at]
    if (sign === undefined || '*+?{}^$])'.includes(sign)) throw this.fault()
    this.at += 1
    return sign === '\\' ? this.escaped() : (character) => character === sign
  }

  private escaped(): Test {
    const sign = this.source[this.at] ?? ''
    this.at += 1
    if (sign === 'd') return (character) => /\d/.test(character)
    if (sign === 'w') return (character) => /\w/.test(character)
    if (!/^[^\w\s]$/.test(sign)) throw this.fault()
    return (character) => character === sign
  }

  private take(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  private fault(): SyntaxError {
    return new SyntaxError(`is not taken at character ${this.at + 1}`)
  }
}
