/**
 * Which columns of a list are shown and in which order, as one short text: keys in their order, those not shown with a minus
 * before them (`name,-group,cost`). Empty: as the list has them, all but the lesser ones.
 */

export interface Place {
  readonly key: string
  readonly shown: boolean
}

/**
 * Unknown keys are passed over; a column the text does not know stands after the one it usually follows.
 * @param lesser those hidden until somebody chooses them
 */
export function readChoice(
  text: string,
  usual: readonly string[],
  lesser: readonly string[] = [],
): readonly Place[] {
  const known = new Set(usual)
  const places: Place[] = []
  for (const word of text.split(',')) {
    const shown = !word.startsWith('-')
    const key = shown ? word : word.slice(1)
    if (known.delete(key)) places.push({ key, shown })
  }
  usual.forEach((key, at) => {
    if (!known.has(key)) return
    const before = places.findIndex((place) => place.key === usual[at - 1])
    places.splice(before + 1, 0, { key, shown: !lesser.includes(key) })
  })
  return places
}

export function choiceText(
  places: readonly Place[],
  usual: readonly string[],
  lesser: readonly string[] = [],
): string {
  const isUsual = places.every(
    ({ key, shown }, at) => shown !== lesser.includes(key) && key === usual[at],
  )
  return isUsual ? '' : places.map(({ key, shown }) => (shown ? key : `-${key}`)).join(',')
}
