/**
 * Which groups a user may use: those everybody may, with the exceptions for their own group, and that group itself.
 * Admins may use every group. Only groups that have a ratio are real.
 */
import type { Settings } from '../../../kernel/contract/kit.js'
import type { Pricing } from '../pricing/index.js'
import { specialGroupsOf } from './group-options.js'
import { roleOfAdmins } from './roles.js'
import type { Member, UsableGroup } from './routing.js'

export interface Groups {
  isReal(group: string): boolean
  mayUse(user: Member, group: string): boolean
  list(user: Member): readonly UsableGroup[]
}

/** Name → description, in the order they are shown. */
type Descriptions = ReadonlyMap<string, string>

/** What follows from one version of ratios and options. */
interface Known {
  readonly real: readonly string[]
  readonly isReal: ReadonlySet<string>
  readonly everybody: Descriptions
  readonly byUserGroup: Map<string, Descriptions>
  all?: Descriptions
}

export function usableGroups(
  settings: Settings,
  pricing: Pick<Pricing, 'groups' | 'ratio'>,
): Groups {
  let known: Known | undefined
  settings.onChange(() => {
    known = undefined
  })

  function current(): Known {
    const real = pricing.groups()
    if (known?.real !== real) {
      const everybody = described(Object.entries(settings.json('usableGroups')))
      known = { real, isReal: new Set(real), everybody, byUserGroup: new Map() }
    }
    return known
  }

  function of({ group, role }: Member): Descriptions {
    const now = current()
    if (role >= roleOfAdmins) {
      now.all ??= new Map(now.real.map((name) => [name, now.everybody.get(name) ?? name]))
      return now.all
    }
    const found = now.byUserGroup.get(group) ?? usableBy(group, now)
    now.byUserGroup.set(group, found)
    return found
  }

  function usableBy(userGroup: string, { everybody, isReal }: Known): Descriptions {
    const special = specialGroupsOf(settings.json('specialUsableGroups'), userGroup)
    const all = new Map(everybody)
    for (const group of special.removed) all.delete(group)
    for (const [group, desc] of special.added) all.set(group, desc)
    if (!all.has(userGroup)) all.set(userGroup, everybody.get(userGroup) ?? userGroup)
    return new Map([...all].filter(([group]) => isReal.has(group)))
  }

  return {
    isReal: (group) => current().isReal.has(group),
    mayUse: (user, group) => of(user).has(group),
    list: (user) =>
      [...of(user)].map(([name, desc]) => ({
        name,
        ratio: pricing.ratio(name, user.group),
        desc,
      })),
  }
}

function described(entries: readonly (readonly [string, unknown])[]): Descriptions {
  return new Map(entries.map(([name, desc]) => [name, String(desc)]))
}
