/** The two options that list which groups users may use, checked before they are stored and read afterwards. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

export const groupOptions = {
  usable: 'UserUsableGroups',
  special: 'group_ratio_setting.group_special_usable_group',
} as const

/** What one group of users may use beside, or in spite of, what everybody may. */
export interface SpecialGroups {
  /** Name → description. */
  readonly added: ReadonlyMap<string, string>
  readonly removed: ReadonlySet<string>
}

const name = /^[^\p{Cc}\p{Zl}\p{Zp}]{1,64}$/u

/** The text is a JSON object: its declared type has seen to that. Throws a `Refusal` that names the fault. */
export function checkUsableGroups(text: string): void {
  checkDescriptions(groupOptions.usable, parsed(text), (key) => key)
}

export function checkSpecialGroups(text: string): void {
  for (const [userGroup, groups] of Object.entries(parsed(text))) {
    checkName(groupOptions.special, userGroup)
    if (!isObject(groups)) {
      throw fault(groupOptions.special, `must hold an object for ${shown(userGroup)}`)
    }
    checkDescriptions(groupOptions.special, groups, (key) => split(key).group)
  }
}

export function specialGroupsOf(all: JsonObject, userGroup: string): SpecialGroups {
  const added = new Map<string, string>()
  const removed = new Set<string>()
  const own = Object.hasOwn(all, userGroup) ? all[userGroup] : undefined
  for (const [key, desc] of isObject(own) ? Object.entries(own) : []) {
    const { group, sign } = split(key)
    if (sign === '-') removed.add(group)
    else added.set(group, String(desc))
  }
  return { added, removed }
}

function split(key: string): { readonly group: string; readonly sign: '+' | '-' } {
  if (key.startsWith('-:')) return { group: key.slice(2), sign: '-' }
  return { group: key.startsWith('+:') ? key.slice(2) : key, sign: '+' }
}

function checkDescriptions(option: string, groups: JsonObject, groupOf: (key: string) => string) {
  for (const [key, desc] of Object.entries(groups)) {
    checkName(option, groupOf(key))
    if (typeof desc !== 'string') {
      throw fault(option, `must hold a description for ${shown(key)}, not ${kindOf(desc)}`)
    }
  }
}

function checkName(option: string, group: string): void {
  if (name.test(group) && group.trim() === group) return
  throw fault(option, `holds ${shown(group)}, which cannot be the name of a group`)
}

function fault(option: string, sentence: string): Refusal {
  return new Refusal('invalid_field', { reason: `${option} ${sentence}.`, param: option })
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 64))
}

function kindOf(value: Json | undefined): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : typeof value
}

function parsed(text: string): JsonObject {
  return JSON.parse(text) as JsonObject
}
