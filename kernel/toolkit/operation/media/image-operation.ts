/** The operation that makes pictures out of a prompt, with or without pictures to begin with: `images` and `edits`. */
import type { Body } from '../../../contract/body.js'
import type { JsonObject } from '../../../contract/json.js'
import type { Operation } from '../../../contract/operation.js'
import { estimateTokens } from '../../format/token-estimate.js'
import { checkFields, integerFrom, isBoolean, isText, type Rule } from '../checks.js'
import { WholeJsonWatch } from '../operation-answer.js'
import { modelNamed } from '../operation-body.js'
import { EventWatch } from './event-watch.js'
import { fieldsOf, type Kinds, modelOf } from './fields.js'
import { inlinedPictures } from './inlined-pictures.js'
import { PictureReader, readPictures } from './picture-answer.js'
import { priceFactor, tokensPerPicture } from './pictures.js'

export interface ImageOperationOptions {
  readonly name: 'images' | 'edits'
  /** The model where none is named. Absent: one has to be. */
  readonly fallback?: string
  /** What else a body must hold; throws a `Refusal` that names the field. */
  check(body: Body, fields: JsonObject): void
  /** Tokens of the pictures in a body. */
  inputImage(body: Body, fields: JsonObject): number
}

/** No single request needs more; every known upstream takes far fewer. */
const picturesMax = 128

const kinds: Kinds = {
  n: 'number',
  output_compression: 'number',
  partial_images: 'number',
  stream: 'flag',
}

const rules: Readonly<Record<string, Rule>> = {
  prompt: isText,
  n: integerFrom(1, picturesMax),
  size: isText,
  quality: isText,
  style: isText,
  background: isText,
  moderation: isText,
  response_format: isText,
  output_format: isText,
  output_compression: integerFrom(0, 100),
  input_fidelity: isText,
  partial_images: integerFrom(0, 10),
  stream: isBoolean,
  user: isText,
}

export function imageOperation(options: ImageOperationOptions): Operation {
  return {
    name: options.name,
    check(body) {
      const fields = fieldsOf(body, kinds)
      const model = modelOf(fields, options.fallback)
      checkFields(fields, rules)
      options.check(body, fields)
      return { model, stream: fields.stream === true, wantsUsage: true }
    },
    named: modelNamed,
    limits: () => ({}),
    estimate(wire) {
      const fields = fieldsOf(wire, kinds)
      const n = typeof fields.n === 'number' ? fields.n : 1
      const inputImage = options.inputImage(wire, fields)
      return {
        input: typeof fields.prompt === 'string' ? estimateTokens(fields.prompt) : 0,
        ...(inputImage > 0 && { inputImage }),
        output: 0,
        outputImage: n * tokensPerPicture(fields),
        quantity: n * priceFactor(fields),
      }
    },
    inlines: inlinedPictures,
    readReply: (body, wire) => readPictures(body, fieldsOf(wire, kinds)),
    watch(type, wire) {
      const requested = fieldsOf(wire, kinds)
      return type.startsWith('text/event-stream')
        ? new EventWatch(new PictureReader(requested))
        : new WholeJsonWatch((body) => readPictures(body, requested))
    },
  }
}
