/** The form of a group. Ratios are text while they are typed. */
import type { Group, GroupForm } from '../../api/group-admin.js'

export interface SpecialRatio {
  readonly caller: string
  readonly ratio: string
}

export interface GroupValues {
  name: string
  ratio: string
  usable: boolean
  desc: string
  special_ratios: SpecialRatio[]
  also_usable: string[]
  not_usable: string[]
}

const ratioMax = 1_000_000

/** Undefined: no ratio. */
export function ratioOf(text: string): number | undefined {
  if (!/^\d+(?:\.\d+)?$|^\.\d+$/.test(text.trim())) return undefined
  const ratio = Number(text)
  return ratio <= ratioMax ? ratio : undefined
}

export function valuesOf(group: Group | undefined): GroupValues {
  return {
    name: group?.name ?? '',
    ratio: String(group?.ratio ?? 1),
    usable: group?.usable ?? true,
    desc: group?.desc ?? '',
    special_ratios: Object.entries(group?.special_ratios ?? {}).map(([caller, ratio]) => ({
      caller,
      ratio: String(ratio),
    })),
    also_usable: [...(group?.also_usable ?? [])],
    not_usable: [...(group?.not_usable ?? [])],
  }
}

export function formOf(values: GroupValues): GroupForm {
  const name = values.name.trim()
  const special = values.special_ratios.map(({ caller, ratio }) => [caller, ratioOf(ratio) ?? 0])
  return {
    ...values,
    name,
    ratio: ratioOf(values.ratio) ?? 1,
    desc: values.desc.trim() || name,
    special_ratios: Object.fromEntries(special),
  }
}
