/** What the area of prefill groups takes. Items come as JSON or as its text, in the shape of their type. */
import joi from 'joi'
import { isObject, type Json } from '../../../kernel/contract/json.js'
import {
  jsonDocument,
  jsonOrText,
  oneLine,
  readField,
  rowId,
} from '../../../kernel/toolkit/management/index.js'

export type GroupType = 'model' | 'tag' | 'endpoint'

export interface GroupForm {
  readonly name?: string
  readonly items?: Json
  readonly description?: string
}

export interface NewGroup extends GroupForm {
  readonly name: string
  readonly type: GroupType
  readonly items: Json
}

export interface GroupChanges extends GroupForm {
  readonly id: number
  readonly type?: GroupType
}

export interface GroupSearch {
  readonly type?: GroupType
}

const itemsMax = 1_000
const itemCharactersMax = 256

const type = joi.valid('model', 'tag', 'endpoint')

const fields = {
  name: oneLine.min(1).max(64),
  items: readField(jsonIn, jsonOrText),
  description: oneLine.allow('').max(255),
}

export const newGroup = joi
  .object({
    ...fields,
    name: fields.name.required(),
    type: type.required(),
    items: fields.items.required(),
  })
  .prefs({ stripUnknown: true })
  .required()

export const groupChanges = joi
  .object({ ...fields, id: rowId.required(), type })
  .prefs({ stripUnknown: true })
  .required()

export const groupId = joi.object({ id: rowId.required() })

export const groupSearch = joi.object({ type: type.empty('') }).prefs({ stripUnknown: true })

/** The end of a sentence that begins with the field; undefined: the items suit the type. */
export function faultOfItems(type: GroupType, items: Json): string | undefined {
  if (type === 'endpoint' && isObject(items)) {
    if (Object.keys(items).length > itemsMax) return `has more than ${itemsMax} entries`
    return Object.keys(items).some((key) => !isItem(key)) ? wrongItem : undefined
  }
  if (!Array.isArray(items)) {
    return type === 'endpoint' ? 'must be a list or an object' : 'must be a list'
  }
  if (items.length > itemsMax) return `has more than ${itemsMax} entries`
  return items.every(isItem) ? undefined : wrongItem
}

const wrongItem = `may hold texts of 1 to ${itemCharactersMax} characters only`

function isItem(item: Json): boolean {
  return (
    typeof item === 'string' &&
    /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,256}$/u.test(item) &&
    item.trim() !== ''
  )
}

/** Shape and entries are a matter of the type. */
function jsonIn(value: unknown): Json {
  const items = jsonDocument(value)
  if (items === null || typeof items !== 'object') throw new Error('must be a list or an object')
  return items
}
