export { accessTokenFields } from './access-token-fields.js'
export { channelTypeField } from './channel-type.js'
export { ownCookie, ownCookieOf } from './cookies.js'
export { enveloped, exact, type Whole } from './envelope.js'
export {
  manyLines,
  newPassword,
  noFields,
  oneLine,
  passwordCharactersMax,
  rowId,
  userName,
  visible,
  visibleOnly,
} from './form-words.js'
export { jsonDocument, jsonObject } from './json-document.js'
export { mailAddress, mailDomain, mailField } from './mail-address.js'
export {
  aboutFields,
  aboutForm,
  type Capability,
  capabilities,
  type Modality,
  type ModelAbout,
  type ModelKind,
  modalities,
  modelKinds,
} from './model-about.js'
export { noData, pagedQuery, pageOf } from './paging.js'
export { jsonOrText, listOrText, objectOrText, plainText, readField } from './read-field.js'
export { requestFieldForm, translationsForm } from './request-field-form.js'
export {
  quotaUnits,
  type ResponseFields,
  responseForm,
  unixSeconds,
  wholeNumber,
} from './response-form.js'
export { revalidated } from './revalidated.js'
export { routePath } from './route-path.js'
export { safeRedirect } from './safe-redirect.js'
export { permits, requiredScope, requireScope, scopeAreas, tokenScopes } from './scopes.js'
export { fieldRules, settingFieldForm } from './setting-field-form.js'
export { signedIn } from './signed-in.js'
export { type TaskType, taskTypesIn } from './task-types.js'
export { userFields } from './user-fields.js'
