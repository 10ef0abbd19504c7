import { packages, packageTypes } from "#domain/packages";
import { curriculum, texts } from "#domain/texts/texts";

/** What search engines read of the course (schema.org), for the page's head; the server fills in name and origin. */
export function courseData(): string {
  const hours = curriculum.reduce((sum, { duration }) => sum + Number.parseFloat(duration), 0);
  const provider = { "@type": "Organization", name: "%JSON_SITE_NAME%", url: "%ORIGIN%/" };
  const data = {
    "@context": "https://schema.org",
    "@type": "Course",
    name: texts.landing.title,
    description: "Price structure, Elliott Wave, risk and psychology, in recorded lessons and live sessions.",
    url: "%ORIGIN%/",
    image: "%ORIGIN%/og.png",
    inLanguage: "en",
    isAccessibleForFree: false,
    provider,
    hasCourseInstance: {
      "@type": "CourseInstance",
      courseMode: "Online",
      courseWorkload: `PT${Math.floor(hours)}H${Math.round((hours % 1) * 60)}M`,
    },
    syllabusSections: curriculum.map(({ title, count }) => ({ "@type": "Syllabus", name: title, description: count })),
    offers: packageTypes.map((type) => ({
      "@type": "Offer",
      name: packages[type].name,
      price: packages[type].priceUsd,
      priceCurrency: "USD",
      category: "Paid",
      url: "%ORIGIN%/#pricing",
    })),
  };
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
