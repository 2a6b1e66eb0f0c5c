/** The few words of every chart, in each language: pages of any area show charts. */
export const words = {
  asTable: { en: 'Show as table', zh: '以表格显示' },
  asChart: { en: 'Show as chart', zh: '以图表显示' },
  total: { en: 'Total', zh: '合计' },
  blank: { en: 'Nothing in this span of time.', zh: '此时间段内没有数据。' },
} as const
