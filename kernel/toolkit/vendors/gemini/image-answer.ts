/** What the two kinds of image models return, in the form clients know. */
import type { Body } from '../../../contract/body.js'
import type { Failure } from '../../../contract/failure.js'
import { isObject, type JsonObject } from '../../../contract/json.js'
import type { WholeAnswer } from '../../../contract/operation.js'
import { failureOfError } from '../../errors/upstream-failure.js'
import { objectsOf } from '../../json/fields.js'
import { createdAt } from '../../operation/operation-answer.js'
import { jsonOf } from '../../operation/operation-body.js'
import { blobsIn, bodyOf, count, emptyAnswer, modality, type Outcome, text } from './reading.js'

interface Image {
  readonly mime: string
  readonly base64: string
  /** The prompt as the service rewrote it. */
  readonly prompt?: string
}

/** Of Imagen in `predictions`, of the models that draw while they talk in `candidates`. */
export function readGeminiImages(
  whole: WholeAnswer,
  sent: Body,
  where: 'predictions' | 'candidates',
): Outcome {
  const body = bodyOf(whole)
  const requested = jsonOf(sent)
  const isPrediction = where === 'predictions'
  const images = isPrediction ? predicted(body) : blobsIn(body, 'image')
  if (images.length === 0) return { failure: isPrediction ? filtered(body) : emptyAnswer(body) }
  const usage = usageOf(body)
  return {
    json: {
      ...createdAt(whole),
      data: images.map((image) => written(image, requested)),
      ...(usage !== undefined && { usage }),
    },
  }
}

function predicted({ predictions }: JsonObject): Image[] {
  return objectsOf(predictions)
    .map(({ bytesBase64Encoded, mimeType, prompt }) => ({
      base64: text(bytesBase64Encoded),
      mime: text(mimeType) || 'image/png',
      ...(text(prompt) !== '' && { prompt: text(prompt) }),
    }))
    .filter(({ base64 }) => base64 !== '')
}

/** Without an image there is at most the reason why each was held back. */
function filtered({ predictions }: JsonObject): Failure {
  const reasons = objectsOf(predictions).map(({ raiFilteredReason }) => text(raiFilteredReason))
  const message = reasons.find((reason) => reason !== '')
  return message === undefined
    ? failureOfError({}, 200)
    : failureOfError({ message, blame: 'client' }, 400)
}

/** An address is not to be had; whoever requests one gets the bytes as one. */
function written({ mime, base64, prompt }: Image, requested: JsonObject): JsonObject {
  return {
    ...(requested.response_format === 'url'
      ? { url: `data:${mime};base64,${base64}` }
      : { b64_json: base64 }),
    ...(prompt !== undefined && { revised_prompt: prompt }),
  }
}

function usageOf({ usageMetadata }: JsonObject): JsonObject | undefined {
  if (!isObject(usageMetadata)) return undefined
  const { promptTokensDetails: read, candidatesTokensDetails: reported } = usageMetadata
  const input = count(usageMetadata.promptTokenCount) ?? 0
  const drawn = count(usageMetadata.candidatesTokenCount) ?? 0
  const output = drawn + (count(usageMetadata.thoughtsTokenCount) ?? 0)
  const inputImages = modality(read, 'IMAGE') ?? 0
  const outputImages = modality(reported, 'IMAGE') ?? drawn
  return {
    input_tokens: input,
    input_tokens_details: { text_tokens: input - inputImages, image_tokens: inputImages },
    output_tokens: output,
    output_tokens_details: { text_tokens: output - outputImages, image_tokens: outputImages },
    total_tokens: input + output,
  }
}
