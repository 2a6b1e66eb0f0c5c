export { shownSum, Total } from './counts.js'
export { decodeFrames, type FrameReader } from './decode-frames.js'
export { FrameGate, type FrameKeeper } from './frame-gate.js'
export { hostedLosses, withAllowedTools, withoutForeignTools } from './hosted-tools.js'
export { mintId } from './ids.js'
export { chatAsResponses, isSaidOtherwise, responsesAsChat } from './kindred-fields.js'
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
export { countJson, UnitCounter, unitsOf } from './token-estimate.js'
export {
  carried,
  isForcedWithoutTools,
  type Loss,
  type Losses,
  lossesOf,
  meaningful,
  nestedParts,
  partsOf,
  refuse,
  report,
  somePart,
} from './unsupported-fields.js'
