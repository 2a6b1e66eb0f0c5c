/** The response object: the fields of an answer beside its items, at its beginning and at its end. */
import type { Event, Stop, Usage } from '../../../kernel/contract/event.js'
import type { Reader } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { mintId } from '../../../kernel/toolkit/format/index.js'
import { writeUsage } from './usage.js'

/** What clients of this format expect to find, where the upstream is of another one. */
const defaults: JsonObject = {
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: false,
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
}

type Start = Extract<Event, { type: 'start' }>

export type ReplyReader = Pick<Reader, 'model' | 'requestId' | 'call'>

export class ResponseObject {
  readonly id: string
  /** The fields the same format's upstream sent of its response so far. */
  private reported: JsonObject = {}
  /** It sent how its response ended. */
  private ended = false
  private readonly created: number
  private readonly model: string

  constructor({ model, requestId = '' }: ReplyReader, start: Omit<Start, 'type'>) {
    const { id, created = 0 } = start
    // Clients recognise a response by the beginning of its id, and may name its items later: no two answers share them.
    this.id = id?.startsWith('resp') ? id : mintId('resp_', id ?? model, requestId)
    this.created = created
    this.model = model
  }

  /** `last`: it is what the response ended with. */
  tell(response: JsonObject, last: boolean): void {
    this.reported = { ...this.reported, ...response }
    this.ended = last && typeof response.status === 'string'
  }

  begun(): JsonObject {
    return this.with({
      status: 'in_progress',
      completed_at: undefined,
      error: null,
      incomplete_details: null,
      output: [],
      usage: null,
    })
  }

  /** The answer broke off, as far as this format calls it that. */
  isShort(reason: Stop): boolean {
    const { status } = this.ended ? this.reported : endOf(reason)
    return status === 'incomplete'
  }

  finished(reason: Stop, output: readonly JsonObject[], usage: Usage | undefined): JsonObject {
    const end = this.ended ? {} : endOf(reason)
    return this.with({ ...end, output, usage: usage === undefined ? null : writeUsage(usage) })
  }

  private with(fields: JsonObject): JsonObject {
    const { id, model } = this
    const object = 'response'
    return { ...defaults, ...this.reported, id, object, created_at: this.created, model, ...fields }
  }
}

function endOf(reason: Stop): JsonObject {
  switch (reason) {
    case 'length':
    case 'context':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    case 'refusal':
    case 'filter':
      return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
    default:
      return { status: 'completed', incomplete_details: null }
  }
}
