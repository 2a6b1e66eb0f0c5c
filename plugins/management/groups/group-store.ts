/**
 * What admins do to groups. A group is a name with a ratio: the options `GroupRatio`, `UserUsableGroups`,
 * `GroupGroupRatio` and the exceptions of groups hold all that is set for it, and each change writes them in one
 * transaction.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Options } from '../../services/options/index.js'
import type { GroupForm } from './forms.js'
import {
  exceptionsOf,
  exceptionsWith,
  exceptionsWithout,
  type Members,
  specialRatios,
  specialRatiosWith,
} from './group-exceptions.js'

export interface GroupStore {
  list(): Promise<readonly GroupRow[]>
  /** Makes the group, or changes the fields that are sent. */
  put(form: GroupForm): Promise<GroupRow>
  /** Throws `conflict` while channels, users or auto routes stand in it. */
  remove(name: string): Promise<void>
}

export interface GroupRow {
  readonly name: string
  readonly ratio: number
  /** Whether everybody may use it, and its description for them. */
  readonly usable: boolean
  readonly desc: string
  /** By group of the caller: ratios that stand before the group's own. */
  readonly special_ratios: Readonly<Record<string, number>>
  /** Groups its users may use beside those everybody may, and those they may not. */
  readonly also_usable: readonly string[]
  readonly not_usable: readonly string[]
  readonly channels: number
  readonly users: number
  readonly auto_routes: number
}

export interface GroupStoreDependencies {
  readonly database: Database
  readonly options: Options
}

const ratios = 'GroupRatio'
const usable = 'UserUsableGroups'
const special = 'GroupGroupRatio'
const exceptions = 'group_ratio_setting.group_special_usable_group'
const keys = [ratios, usable, special, exceptions]

type Maps = Readonly<Record<string, JsonObject>>

export function groupStore({ database, options }: GroupStoreDependencies): GroupStore {
  async function list(): Promise<readonly GroupRow[]> {
    const [channels, users, routes] = await Promise.all([
      counted('SELECT g AS name, count(*) AS n FROM channels, unnest(groups) AS g GROUP BY g'),
      counted(
        'SELECT "group" AS name, count(*) AS n FROM users WHERE deleted_at IS NULL GROUP BY 1',
      ),
      counted('SELECT g AS name, count(*) AS n FROM auto_routes, unnest(groups) AS g GROUP BY g'),
    ])
    const maps = Object.fromEntries(
      options
        .list()
        .filter(({ key }) => keys.includes(key))
        .map(({ key, value }) => [key, parsed(value)]),
    )
    const specials = specialRatios(maps[special] ?? {})
    return Object.keys(maps[ratios]!).map((name) => ({
      ...ratiosOf(name, maps),
      special_ratios: specials.get(name) ?? {},
      channels: channels.get(name) ?? 0,
      users: users.get(name) ?? 0,
      auto_routes: routes.get(name) ?? 0,
    }))
  }

  async function counted(text: string): Promise<ReadonlyMap<string, number>> {
    const { rows } = await database.knex.raw<{ rows: { name: string; n: bigint }[] }>(text)
    return new Map(rows.map(({ name, n }) => [name, Number(n)]))
  }

  async function get(name: string): Promise<GroupRow> {
    const row = (await list()).find((group) => group.name === name)
    if (row === undefined) throw new Refusal('gone_missing', { what: 'group', param: 'name' })
    return row
  }

  async function put(form: GroupForm): Promise<GroupRow> {
    const { name } = form
    if (form.is_new) await refuseRoute(name)
    await options.change(keys, (texts) => {
      const maps = read(texts)
      checkNew(form, Object.hasOwn(maps[ratios]!, name))
      checkNamed(form, maps)
      return written(maps, {
        [ratios]: { [name]: form.ratio },
        [usable]: { [name]: descriptionOf(form, maps[usable]?.[name]) },
        [special]:
          form.special_ratios && specialRatiosWith(maps[special]!, name, form.special_ratios),
        [exceptions]: exceptionsIn(form, maps),
      })
    })
    return get(name)
  }

  /** A group stands before a route of the same name: whoever names the route would come to the group. */
  async function refuseRoute(key: string): Promise<void> {
    if ((await database.knex('auto_routes').where({ key }).first('key')) === undefined) return
    const reason = `There is an auto route "${key}"; requests that name it would come to the group.`
    throw new Refusal('conflict', { reason, param: 'name' })
  }

  async function remove(name: string): Promise<void> {
    const { channels, users, auto_routes } = await get(name)
    if (channels + users + auto_routes > 0) {
      const reason = `The group "${name}" is in use; channels: ${channels}, users: ${users}, auto routes: ${auto_routes}.`
      throw new Refusal('conflict', { reason, param: 'name' })
    }
    await options.change(keys, (texts) => {
      const maps = read(texts)
      return written(maps, {
        [ratios]: { [name]: null },
        [usable]: { [name]: null },
        [special]: { ...specialRatiosWith(maps[special]!, name, {}), [name]: null },
        [exceptions]: exceptionsWithout(maps[exceptions]!, name),
      })
    })
  }

  return { list, put, remove }
}

function ratiosOf(name: string, maps: Maps) {
  const described = maps[usable]?.[name]
  return {
    name,
    ratio: Number(maps[ratios]![name]),
    usable: described !== undefined,
    desc: typeof described === 'string' ? described : '',
    ...exceptionsOf(maps[exceptions] ?? {}, name),
  }
}

/** Undefined: it stays as it is. Null: not for everybody any more. */
function descriptionOf(form: GroupForm, known: unknown): string | null | undefined {
  if (form.usable === false) return null
  if (form.usable === undefined && known === undefined) return undefined
  return form.desc ?? (typeof known === 'string' ? known : form.name)
}

/** Undefined: they stay as they are. */
function exceptionsIn(form: GroupForm, maps: Maps): Members | undefined {
  const { name, also_usable, not_usable } = form
  if (also_usable === undefined && not_usable === undefined) return undefined
  const before = exceptionsOf(maps[exceptions]!, name)
  const wanted = {
    also_usable: also_usable ?? before.also_usable,
    not_usable: not_usable ?? before.not_usable,
  }
  const removed = new Set(wanted.not_usable)
  const both = wanted.also_usable.find((group) => removed.has(group))
  if (both !== undefined) throw fault('not_usable', `holds "${both}", which is also_usable`)
  const described = (group: string): string => {
    const desc = maps[usable]?.[group]
    return typeof desc === 'string' ? desc : group
  }
  return exceptionsWith(maps[exceptions]!, name, wanted, described)
}

/** Who makes a group does not change one somebody else made, and who changes one does not bring it back. */
function checkNew({ name, ratio, is_new }: GroupForm, isKnown: boolean): void {
  if (is_new && isKnown) {
    const reason = `There is a group "${name}" already.`
    throw new Refusal('conflict', { reason, param: 'name' })
  }
  if (is_new === false && !isKnown) {
    throw new Refusal('gone_missing', { what: 'group', param: 'name' })
  }
  if (!isKnown && ratio === undefined) {
    const reason = `The group "${name}" is new and needs a ratio.`
    throw new Refusal('invalid_field', { reason, param: 'ratio' })
  }
}

/** Other groups a form names are real, or the one that is being made. */
function checkNamed(form: GroupForm, maps: Maps): void {
  const named = {
    special_ratios: Object.keys(form.special_ratios ?? {}),
    also_usable: form.also_usable ?? [],
    not_usable: form.not_usable ?? [],
  }
  for (const [field, groups] of Object.entries(named)) {
    const unknown = groups.find(
      (group) => group !== form.name && !Object.hasOwn(maps[ratios]!, group),
    )
    if (unknown !== undefined) throw fault(field, `holds "${unknown}", which is no group`)
  }
}

function fault(param: string, sentence: string): Refusal {
  return new Refusal('invalid_field', { reason: `${param} ${sentence}.`, param })
}

/** Texts of the options something changes in. */
function written(
  maps: Maps,
  changes: Readonly<Record<string, Members | undefined>>,
): Readonly<Record<string, string>> {
  const texts = Object.entries(changes).flatMap(([key, members = {}]) => {
    const next: Record<string, Json | undefined> = { ...maps[key] }
    let changed = false
    for (const [name, value] of Object.entries(members)) {
      if (value === undefined) continue
      changed = true
      if (value === null) delete next[name]
      else next[name] = value
    }
    return changed ? [[key, JSON.stringify(next)] as const] : []
  })
  return Object.fromEntries(texts)
}

function read(texts: Readonly<Record<string, string>>): Maps {
  return Object.fromEntries(keys.map((key) => [key, parsed(texts[key] ?? '{}')]))
}

function parsed(text: string): JsonObject {
  return JSON.parse(text) as JsonObject
}
