export { shownSum, Total } from './counts.js'
export { decodeFrames, type FrameReader } from './decode-frames.js'
export { FrameGate, type FrameKeeper } from './frame-gate.js'
export { FrameWatch } from './frame-watch.js'
export { unsupportedHostedTools, withAllowedTools, withoutForeignTools } from './hosted-tools.js'
export { mintId } from './ids.js'
export { KeyReader, keyFinder, StringEnds } from './json-strings.js'
export {
  chatAsResponses,
  hasEquivalent as isSaidOtherwise,
  responsesAsChat,
} from './kindred-fields.js'
export { sequential } from './sequential.js'
export {
  breakingIn,
  type Frame,
  type FrameFields,
  jsonStart,
  parseFrame,
  SseFramer,
  sseData,
  sseEvent,
  withoutMark,
} from './sse.js'
export { strictSchema } from './strict-schema.js'
export { countJson, estimateTokens as unitsOf, TokenCounter } from './token-estimate.js'
export {
  carried,
  isForcedWithoutTools,
  meaningful,
  nestedParts,
  partsOf,
  refuse,
  report,
  somePart,
  type UnsupportedField as Loss,
  type UnsupportedFields as Losses,
  unsupportedFieldsOf,
} from './unsupported-fields.js'
