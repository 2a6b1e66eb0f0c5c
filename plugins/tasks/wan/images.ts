/**
 * Pictures of a text by the service's asynchronous interface, for clients that wait for them: the images operation's body as a
 * request of the service, and what it made in the operation's form (README, Images).
 */
import type { Body } from '../../../kernel/contract/body.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../../kernel/contract/operation.js'
import type { AddressContext, ChannelView, Credentials } from '../../../kernel/contract/provider.js'
import type { Progress, TaskAdapter, TaskRef, TaskResult } from '../../../kernel/contract/task.js'
import { garbled } from '../../../kernel/toolkit/errors/index.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { listAt, numberAt, quantities, textAt } from '../../../kernel/toolkit/task/index.js'
import { cancel, imageAddress, poll } from './calls.js'
import { fail } from './fail.js'
import { readTasks, submitted } from './progress.js'

export const images: TaskAdapter = {
  format: 'task',
  serves: (_channel, model) => isImageModel(model),
  takes: ['negative_prompt', 'seed', 'prompt_extend', 'watermark'],
  shape,
  quantities: (wire) => {
    const { parameters = {} } = jsonOf(wire)
    const piece = numberAt(parameters, 'n') ?? countDefault
    return quantities({ piece }, { size: textAt(parameters, 'size') })
  },
  address: (_wire: Body, channel: ChannelView, credentials: Credentials, context: AddressContext) =>
    imageAddress(channel, credentials, context),
  submitted,
  poll: { batch: 1, request: poll, read },
  cancel,
  fail,
  folded,
}

/** Those of the asynchronous interface; later ones have another. */
function isImageModel(model: string): boolean {
  return /^(?:wanx?2\.[0-5]-t2i|wanx-v1|qwen-image(?:-plus)?(?:-\d{4}-\d{2}-\d{2})?$)/.test(model)
}

/** The service would make four of a request that states none. */
const countDefault = 1
const countMost = 4

function shape(body: Body, _channel: ChannelView, model: string): Body {
  const { prompt, n, size, stream, ...rest } = jsonOf(body)
  if (stream === true) throw invalidField('stream', 'must not be true for this model')
  const count = n ?? countDefault
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > countMost) {
    throw invalidField('n', `must be an integer from 1 to ${countMost}`)
  }
  const input = present({ prompt, negative_prompt: rest.negative_prompt })
  const parameters = present({
    ...{ size: sizeOf(size, model), n: count, seed: rest.seed },
    ...{ prompt_extend: rest.prompt_extend, watermark: rest.watermark },
  })
  return { kind: 'json', value: { model, input, parameters } }
}

function sizeOf(size: Json | undefined, model: string): string {
  if (size === undefined || size === null || size === 'auto') return sizeDefault(model)
  const [, width, height] = /^(\d{3,4})[x*](\d{3,4})$/.exec(String(size)) ?? []
  if (width === undefined) throw invalidField('size', 'must be like 1024x1024')
  return `${width}*${height}`
}

/** Always sent, so that what is billed is what is made. */
function sizeDefault(model: string): string {
  if (model.startsWith('qwen-image')) return '1328*1328'
  return model.startsWith('wan2.5-') ? '1280*1280' : '1024*1024'
}

function read(answer: WholeAnswer, refs: readonly TaskRef[]) {
  return readTasks(answer, refs, { results: picturesOf, made: madeOf })
}

/** Of several some may have failed, each with a code in place of its address. */
function picturesOf(raw: JsonObject): readonly TaskResult[] {
  return listAt(raw, 'output.results').flatMap((picture) => {
    const url = textAt(picture, 'url') ?? ''
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return []
    const meta = present({ actual_prompt: textAt(picture, 'actual_prompt') })
    return [{ type: 'image' as const, url, meta }]
  })
}

function madeOf(raw: JsonObject): Progress['made'] {
  const piece = numberAt(raw, 'usage.image_count') ?? numberAt(raw, 'output.task_metrics.SUCCEEDED')
  return piece === undefined ? undefined : quantities({ piece })
}

function folded({
  results = [],
  updatedAt = 0,
}: Progress): Answered | { readonly failure: Failure } {
  const pictures = results.filter(({ url }) => url !== undefined)
  if (pictures.length === 0) return { failure: garbled() }
  return {
    json: {
      created: Math.floor(updatedAt / 1000),
      data: pictures.map(({ url, meta }) =>
        present({
          url,
          revised_prompt: isObject(meta) ? textAt(meta, 'actual_prompt') : undefined,
        }),
      ),
    },
  }
}
