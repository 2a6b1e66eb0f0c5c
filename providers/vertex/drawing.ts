/**
 * Pictures by Gemini's models that draw while they talk, out of a text or out of pictures to be changed. What the file is
 * like is said in words that only this service has (`ImageConfig.ImageOutputOptions`, docs.cloud.google.com/ruby/docs/reference/
 * google-cloud-ai_platform-v1 and the `@google/genai` SDK, read 2026-11-27).
 */
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { objectOf, present, unlessEmpty } from '../../kernel/toolkit/json/index.js'
import { reportsUntold, statedFields, untold } from '../../kernel/toolkit/operation/index.js'
import { geminiDrawing, geminiEdit, readGeminiImages } from '../../kernel/toolkit/vendors/index.js'
import { fail } from './fail.js'
import { generate } from './generate.js'
import { isDrawing } from './model.js'

const told = ['quality', 'output_format', 'output_compression']

export const drawing = drawingAdapter(geminiDrawing)
export const edits = drawingAdapter(geminiEdit)

function drawingAdapter(request: (body: Body) => JsonObject): OwnOperationAdapter {
  return {
    format: 'own',
    serves: (_channel, model) => isDrawing(model),
    shape(body) {
      const fields = statedFields(body)
      const value = { ...withFile(request(body), fields), ...untold(fields, told) }
      return { kind: 'json', value }
    },
    refuses: reportsUntold(told),
    address: generate,
    answer: (whole, sent) => readGeminiImages(whole, sent, 'candidates'),
    fail,
  }
}

function withFile(wire: JsonObject, { output_format: format, ...fields }: JsonObject): JsonObject {
  const imageOutputOptions = unlessEmpty(
    present({
      mimeType: typeof format === 'string' ? `image/${format}` : undefined,
      compressionQuality: fields.output_compression,
    }),
  )
  if (imageOutputOptions === undefined) return wire
  const config = objectOf(wire.generationConfig)
  const imageConfig = { ...objectOf(config?.imageConfig), imageOutputOptions }
  return { ...wire, generationConfig: { ...config, imageConfig } }
}
