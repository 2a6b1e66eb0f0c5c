/** Calls of tools as items: the client's functions, this format's own tools, and pictures another model drew. */
import type { OpenPart } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { objectOf } from './fields.js'
import type { Delta, ItemWriter, Place } from './item-writer.js'
import { type Streamed, streamedOf } from './items.js'
import { type Seal, toolExtra } from './seal.js'

/** A function the client runs. */
export class CallWriter implements ItemWriter {
  readonly first: JsonObject
  private input = ''
  private seal: Seal | undefined

  constructor(
    private readonly part: Extract<OpenPart, { kind: 'toolCall' }>,
    private readonly place: Place,
  ) {
    this.first = this.call('in_progress')
  }

  delta({ json = '', seal, sealBy }: Delta): JsonObject[] {
    if (seal !== undefined && sealBy !== undefined) {
      this.seal = { by: sealBy, value: (this.seal?.value ?? '') + seal }
    }
    if (json === '') return []
    this.input += json
    const { id: item_id, index: output_index } = this.place
    const type = 'response.function_call_arguments.delta'
    return [{ type, item_id, output_index, delta: json }]
  }

  last(): JsonObject[] {
    const { id: item_id, index: output_index } = this.place
    const type = 'response.function_call_arguments.done'
    const { name } = this.part
    return [{ type, item_id, output_index, name, arguments: this.input }]
  }

  item(tail: JsonObject): JsonObject {
    const { id } = this.place
    return { ...this.call('completed'), ...tail, id, ...toolExtra(this.seal) }
  }

  private call(status: string): JsonObject {
    const { head, id } = this.place
    const { id: call_id, name } = this.part
    return { ...head, id, type: 'function_call', status, arguments: this.input, call_id, name }
  }
}

/** Items only this format has: they end as their upstream sent them. */
export class OwnWriter implements ItemWriter {
  readonly first: JsonObject
  private readonly streamed: Streamed | undefined
  private text = ''
  private whole: JsonObject | undefined

  constructor(private readonly place: Place) {
    const { head, id } = place
    const item: JsonObject = { ...head, id, status: 'in_progress' }
    this.streamed = streamedOf(item)
    this.first = this.streamed === undefined ? item : { ...item, [this.streamed.field]: '' }
  }

  delta({ json, text }: Delta): JsonObject[] {
    const delta = json ?? text ?? ''
    if (delta === '' || this.streamed === undefined) return []
    this.text += delta
    const { id: item_id, index: output_index } = this.place
    return [{ type: `${this.streamed.event}.delta`, item_id, output_index, delta }]
  }

  last(whole: Json | undefined): JsonObject[] {
    this.whole = objectOf(whole)
    const { streamed, text } = this
    if (streamed === undefined || text === '') return []
    const { id: item_id, index: output_index } = this.place
    return [{ type: `${streamed.event}.done`, item_id, output_index, [streamed.field]: text }]
  }

  item(): JsonObject {
    return this.whole ?? { ...this.first, status: 'incomplete' }
  }
}

/** A picture another format's model drew. One that came as an address has no place here, and none is shown. */
export class ImageWriter implements ItemWriter {
  readonly first: JsonObject
  private base64 = ''

  constructor({ id }: Place) {
    this.first = { id, type: 'image_generation_call', status: 'in_progress', result: null }
  }

  delta({ base64 = '' }: Delta): JsonObject[] {
    this.base64 += base64
    return []
  }

  last(): JsonObject[] {
    return []
  }

  item(): JsonObject {
    const drawn = this.base64 !== ''
    const result = drawn ? this.base64 : null
    return { ...this.first, status: drawn ? 'completed' : 'failed', result }
  }
}
