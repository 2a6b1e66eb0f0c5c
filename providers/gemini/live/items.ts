/** Items the client adds to the conversation, until an answer to them is requested. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { objectOf, objectsOf } from '../../../kernel/toolkit/json/index.js'
import { text as textOf } from './reading.js'
import { resultOf } from './tools.js'
import type { Wires } from './wires.js'

/** Characters that wait. */
const waitingMax = 4 * 1024 * 1024

export class Items {
  private texts: string[] = []
  private results: JsonObject[] = []
  private characters = 0

  constructor(
    private readonly wires: Wires,
    private readonly functions: Map<string, string>,
  ) {}

  get any(): boolean {
    return this.texts.length > 0 || this.results.length > 0
  }

  create({ item: given, previous_item_id }: JsonObject): void {
    if (previous_item_id !== undefined && previous_item_id !== null)
      throw notExpressible('previous_item_id')
    const item = objectOf(given) ?? {}
    if (item.type === 'message') this.add(this.texts, textIn(item))
    else if (item.type === 'function_call_output') this.add(this.results, this.resultIn(item))
    else throw notExpressible('item.type')
    const shown = {
      id: this.wires.id('item'),
      object: 'realtime.item',
      status: 'completed',
      ...item,
    }
    this.wires.emit('conversation.item.added', { previous_item_id: null, item: shown })
    this.wires.emit('conversation.item.done', { previous_item_id: null, item: shown })
  }

  /** Results before texts, since the model waits for them. Text is the user's input, and is answered at once. */
  send(): void {
    const { texts, results, wires } = this
    if (results.length > 0) wires.send({ toolResponse: { functionResponses: results } })
    if (texts.length > 0) wires.send({ realtimeInput: { text: texts.join('\n\n') } })
    this.texts = []
    this.results = []
    this.characters = 0
  }

  private add<Waiting extends Json>(list: Waiting[], one: Waiting): void {
    const characters = this.characters + JSON.stringify(one).length
    if (characters > waitingMax)
      throw invalid('item', `makes more than ${waitingMax} characters wait for an answer.`)
    this.characters = characters
    list.push(one)
  }

  private resultIn({ call_id, output }: JsonObject): JsonObject {
    const id = textOf(call_id)
    const name = this.functions.get(id)
    if (name === undefined) throw invalid('item.call_id', 'is no call that waits for its result.')
    this.functions.delete(id)
    return resultOf(id, name, textOf(output))
  }
}

/** Only the user's own words can follow: what others said would have to stand before the first turn. */
function textIn({ role, content }: JsonObject): string {
  if (role !== 'user') throw notExpressible('item.role')
  const parts = objectsOf(content)
  if (parts.length === 0 || parts.some(({ type }) => type !== 'input_text'))
    throw notExpressible('item.content')
  return parts.map(({ text }) => textOf(text)).join('')
}

export function invalid(param: string, what: string): Refusal {
  return new Refusal('invalid_request', { param, reason: `${param}: ${what}` })
}
