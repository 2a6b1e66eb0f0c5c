export { shownSum, Total } from './counts.js'
export { decodeFrames, type FrameReader } from './decode-frames.js'
export { FrameGate, type FrameKeeper } from './frame-gate.js'
export { FrameWatch } from './frame-watch.js'
export { unsupportedHostedTools, withAllowedTools, withoutForeignTools } from './hosted-tools.js'
export { mintId } from './ids.js'
export { isIssuer, issuerPattern } from './issuer.js'
export { KeyReader, keyFinder, StringEnds } from './json-strings.js'
export {
  chatAsResponses,
  hasEquivalent,
  responsesAsChat,
} from './kindred-fields.js'
export {
  hasUnreadableInput,
  holdsForeignOpaque,
  isAnswer,
  toolInput,
} from './part-checks.js'
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
export { instructs, promptGap, withPromptBefore } from './system-prompt.js'
export { countJson, estimateTokens, TokenCounter } from './token-estimate.js'
export {
  carried,
  isForcedWithoutTools,
  meaningful,
  nestedParts,
  partsOf,
  refuse,
  report,
  somePart,
  type UnsupportedField,
  type UnsupportedFields,
  unsupportedFieldsOf,
} from './unsupported-fields.js'
