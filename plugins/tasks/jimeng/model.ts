/**
 * Models. The service has a name (`req_key`) for every way to make a clip; `jimeng_v30`, `jimeng_v30_1080p` and
 * `jimeng_v30_pro` stand for all ways of one version, of which the pictures choose. Any other model is such a name itself.
 */

/** Without a picture, with the first, with the first and the last. */
type Ways = readonly [text: string, first: string, both?: string]

const versions: Readonly<Record<string, Ways>> = {
  jimeng_v30: ['jimeng_t2v_v30', 'jimeng_i2v_first_v30', 'jimeng_i2v_first_tail_v30'],
  jimeng_v30_1080p: [
    'jimeng_t2v_v30_1080p',
    'jimeng_i2v_first_v30_1080',
    'jimeng_i2v_first_tail_v30_1080',
  ],
  jimeng_v30_pro: ['jimeng_ti2v_v30_pro', 'jimeng_ti2v_v30_pro'],
}

/** Undefined: the model has no way to make a clip of so many pictures. */
export function wayOf(model: string, pictures: number): string | undefined {
  if (Object.hasOwn(versions, model)) return versions[model]![pictures]
  return pictures <= picturesMost(model) ? model : undefined
}

function picturesMost(way: string): number {
  if (/_t2v_/.test(way)) return 0
  if (/_first_tail_/.test(way)) return 2
  return /_(i2v_first|ti2v|i2v_recamera)_/.test(way) ? 1 : 2
}

/** Whole seconds of known ways. Undefined: not known, any may be requested. */
export function lengthsOf(way: string): readonly number[] | undefined {
  if (/_v30/.test(way)) return [5, 10]
  return /_l20$/i.test(way) ? [5] : undefined
}

/** Undefined: not known. */
export function resolutionOf(way: string): string | undefined {
  if (!/_v30/.test(way)) return undefined
  return /_1080p?$|_pro$/.test(way) ? '1080p' : '720p'
}
