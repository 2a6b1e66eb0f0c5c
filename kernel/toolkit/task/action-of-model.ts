/** Models of music and pictures stand for what is done, and are priced by it: so the one follows from the other. */
import type { OperationName } from '../../contract/names.js'

/** Those that need no task to go on from, and that the address names alike. */
const pictureActions = ['imagine', 'blend', 'describe', 'shorten']

/** `suno_music` → `music`. Undefined: models of the operation stand for nothing, or this one for nothing that is known. */
export function actionOfModel(operation: OperationName, model: string): string | undefined {
  if (operation === 'music') return /^suno_([a-z][a-z_-]{0,31})$/.exec(model)?.[1]
  if (operation !== 'midjourney') return undefined
  if (model === 'swap_face') return 'swap'
  return pictureActions.find((action) => model === `mj_${action}`)
}
