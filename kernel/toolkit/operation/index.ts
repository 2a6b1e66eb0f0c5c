export {
  areNumbersByKey,
  areStreamOptions,
  areTexts,
  checkFields,
  integerFrom,
  invalidField,
  isAnObject,
  isBoolean,
  isText,
  isTextOrObject,
  isTextOrTexts,
  numberFrom,
  oneOf,
  type Rule,
  requiredModel,
} from './checks.js'
export { imageKind, withTrueTypes } from './image-kind.js'
export { BytesWatch } from './media/bytes-watch.js'
export { type EventKind, type EventReader, EventWatch } from './media/event-watch.js'
export { fieldsOf, isSomeText, modelOf } from './media/fields.js'
export { imageOperation } from './media/image-operation.js'
export {
  givenPictures,
  pictureFields,
  reportsUntold,
  sidesOf,
  statedFields,
  untold,
} from './media/picture-request.js'
export { tokensOfInput } from './media/pictures.js'
export { transcriptOperation } from './media/transcript-operation.js'
export {
  countOf,
  createdAt,
  disjoint,
  failureIn,
  garbled,
  inputReading,
  objectOf,
  parsedObject,
  WholeJsonWatch,
} from './operation-answer.js'
export { areTokens, estimateTokensIn, jsonOf, modelNamed } from './operation-body.js'
export { hasEachVector, joinedEmbeddings, splitInput, splitMember } from './split-input.js'
export { embeddingList, isVector, packedVector } from './vectors.js'
export { wav } from './wav.js'
