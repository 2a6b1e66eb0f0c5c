/** The few words around texts of the operator, in each language: they stand on public pages and on the dashboard. */
export const words = {
  away: { en: 'Open the page of the operator', zh: '打开运营者的页面' },
  tones: {
    good: { en: 'Done', zh: '已完成' },
    warn: { en: 'Warning', zh: '警告' },
    bad: { en: 'Trouble', zh: '故障' },
    info: { en: 'Ongoing', zh: '进行中' },
    quiet: { en: 'News', zh: '消息' },
  },
} as const
