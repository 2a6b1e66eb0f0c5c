/**
 * The two spellings of this format. Its service takes every field in camel case and in snake case and responds in camel
 * case; here a request is read in either and written in camel case. Only known names change: whatever else a client
 * sends keeps its spelling.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'

const known: ReadonlySet<string> = new Set([
  // The request.
  'cachedContent',
  'generationConfig',
  'safetySettings',
  'systemInstruction',
  'toolConfig',
  // Parts.
  'codeExecutionResult',
  'displayName',
  'executableCode',
  'fileData',
  'fileUri',
  'functionCall',
  'functionResponse',
  'inlineData',
  'mediaResolution',
  'mimeType',
  'partMetadata',
  'thoughtSignature',
  'videoMetadata',
  'willContinue',
  // Tools.
  'codeExecution',
  'computerUse',
  'enterpriseWebSearch',
  'fileSearch',
  'functionDeclarations',
  'googleMaps',
  'googleSearch',
  'googleSearchRetrieval',
  'parametersJsonSchema',
  'responseJsonSchema',
  'urlContext',
  'allowedFunctionNames',
  'functionCallingConfig',
  'retrievalConfig',
  // Generation.
  'audioTimestamp',
  'candidateCount',
  'enableEnhancedCivicAnswers',
  'frequencyPenalty',
  'imageConfig',
  'includeThoughts',
  'maxOutputTokens',
  'presencePenalty',
  'responseLogprobs',
  'responseMimeType',
  'responseModalities',
  'responseSchema',
  'routingConfig',
  'speechConfig',
  'stopSequences',
  'thinkingBudget',
  'thinkingConfig',
  'thinkingLevel',
  'topK',
  'topP',
  // Schemas.
  'anyOf',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minItems',
  'minLength',
  'minProperties',
  'prefixItems',
  'propertyOrdering',
])

/**
 * The object with its own known keys in camel case and without those that hold `null`, which is how this format's JSON
 * marks a field as not set; the same object where nothing has to change.
 */
export function camel(object: JsonObject): JsonObject {
  const entries = Object.entries(object)
  if (entries.every(([key, value]) => value !== null && respelled(key) === key)) return object
  const reported = entries.filter(([, value]) => value !== null)
  return Object.fromEntries(reported.map(([key, value]) => [respelled(key), value]))
}

function respelled(key: string): string {
  if (!key.includes('_')) return key
  const name = key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return known.has(name) ? name : key
}
