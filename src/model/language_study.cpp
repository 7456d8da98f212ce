#include "model/language_study.hpp"

#include "model/distribution_kinds.hpp"
#include "model/language_scalars.hpp"

namespace aleator::core {

using input::Bound;
using input::Field;
using input::FieldType;
using input::Kind;

namespace {

Field same_as(std::string_view doc) { return {.key = "same_as", .type = FieldType::body, .doc = doc}; }

std::vector<Field> place_of_domain() {
  return {{.key = "at",
           .type = FieldType::point,
           .unit = "m",
           .doc = "Centre of the domain (for a polyhedron: the origin of its vertices).",
           .fallback = "the nominal centre of mass"},
          {.key = "orientation", .type = FieldType::orientation, .doc = "Axes of the domain.", .fallback = "inertial axes"},
          {.key = "mean",
           .type = FieldType::point,
           .unit = "m",
           .doc = "Mean of the centre of mass, inside the domain.",
           .fallback = "the nominal centre of mass"},
          {.key = "scale", .unit = "-", .doc = "Scales the domain about its centre.", .fallback = "1", .bound = Bound::positive}};
}

std::vector<Kind> center_of_mass_kinds() {
  const std::vector<Field> place = place_of_domain();
  return {
      {"box",
       "In a box.",
       {.type = FieldType::numbers, .unit = "m", .doc = "Full edges; in a planar model two.", .bound = Bound::positive},
       place},
      {"ball", "In a ball; in a planar model in a disc.", {.unit = "m", .doc = "Radius.", .bound = Bound::positive}, place},
      {"ellipsoid",
       "In an ellipsoid; in a planar model in an ellipse.",
       {.type = FieldType::numbers, .unit = "m", .doc = "Semi-axes; in a planar model two.", .bound = Bound::positive},
       place},
      {"cylinder",
       "In a cylinder; not in planar models.",
       {.type = FieldType::group,
        .doc = "Its size.",
        .fields =
            {{.key = "radius", .unit = "m", .doc = "Radius.", .required = true, .bound = Bound::positive},
             {.key = "length", .unit = "m", .doc = "Length.", .required = true, .bound = Bound::positive},
             {.key = "axis", .type = FieldType::direction, .doc = "Its axis, among the axes of the domain.", .fallback = "z"}}},
       place},
      {"polyhedron",
       "In the convex hull of points; in a planar model in a convex polygon.",
       {.type = FieldType::points, .unit = "m", .doc = "Vertices relative to `at`, in the axes of the domain."},
       place},
      {"same_as",
       "Same displacement from the nominal position as for another body.",
       {.type = FieldType::body, .doc = "The other body."}}};
}

std::vector<Kind> correlation_kinds() {
  const Field length = {.unit = "m", .doc = "Correlation length a.", .bound = Bound::positive};
  return {{"squared_exponential", "exp(−d²/a²) at distance d.", length},
          {"exponential", "exp(−d/a).", length},
          {"matern32", "(1 + √3 d/a) exp(−√3 d/a).", length},
          {"matern52", "(1 + √5 d/a + 5d²/3a²) exp(−√5 d/a).", length},
          {"table",
           "Given by a table, linear between its rows.",
           {.type = FieldType::table, .unit = "m, -", .doc = "[[distance, correlation], …]."}}};
}

Field random_field(std::string_view key, std::string_view doc) {
  return {.key = key,
          .type = FieldType::group,
          .doc = doc,
          .fields = {{.key = "cov", .unit = "-", .doc = "Coefficient of variation at a point.", .bound = Bound::positive},
                     {.key = "std",
                      .unit = "that of the property",
                      .doc = "Standard deviation, instead of `cov`.",
                      .bound = Bound::positive},
                     {.key = "law",
                      .type = FieldType::choice,
                      .doc = "Distribution of the value at a point: `normal`, `lognormal` (always positive), or any of the "
                             "distributions below, "
                             "which then defines the spread. The mean is the nominal value at that point.",
                      .fallback = "normal",
                      .words = {"normal", "lognormal"},
                      .kinds = distribution_kinds()},
                     {.key = "correlation",
                      .type = FieldType::choice,
                      .doc = "Correlation of the underlying Gaussian field between two points of the beam at t = 0.",
                      .required = true,
                      .kinds = correlation_kinds()},
                     {.key = "method",
                      .type = FieldType::word,
                      .doc = "Method of discretisation.",
                      .fallback = "eole",
                      .words = {"eole", "karhunen-loeve"}},
                     {.key = "terms",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Number of variables xi1, xi2, …",
                      .fallback = "as many as `error` needs",
                      .bound = Bound::positive},
                     {.key = "error",
                      .unit = "-",
                      .doc = "Largest fraction of the variance that may be lost at a point.",
                      .fallback = "0.05",
                      .bound = Bound::positive},
                     {.key = "nodes",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Nodes of the discretisation, per beam.",
                      .fallback = "51",
                      .bound = Bound::positive},
                     {.key = "also",
                      .type = FieldType::words,
                      .doc = "Other beams that share the field: one field over all of them, distances in space."}}};
}

std::vector<Field> body_law_fields() {
  return {
      {.key = "mass",
       .type = FieldType::group,
       .doc = "The mass is random: Gamma, the maximum entropy distribution on ]0, ∞[ with given mean and spread.",
       .fields = {{.key = "cov",
                   .unit = "-",
                   .doc = "Coefficient of variation, below 1/√2: above it the response has no variance.",
                   .bound = Bound::positive},
                  {.key = "mean", .unit = "kg", .doc = "Mean.", .fallback = "the nominal mass", .bound = Bound::positive},
                  same_as("Instead of `cov`: deviates from nominal by the same factor as the mass of this body.")}},
      {.key = "center_of_mass",
       .type = FieldType::choice,
       .doc = "The centre of mass is random: maximum entropy on a domain, with given mean. Shapes, joints and "
              "forces do not move.",
       .kinds = center_of_mass_kinds()},
      {.key = "inertia",
       .type = FieldType::group,
       .doc = "The inertia tensor is random: Kummer–Beta distribution of the second moments of mass Z; every draw is the inertia "
              "of a physical "
              "body; J = M (tr Z I − Z) with the mass M.",
       .fields = {{.key = "lambda_l",
                   .unit = "-",
                   .doc = "Shape at the lower end, below 1/2 (in the plane below −1); the more negative, the less scatter."},
                  {.key = "lambda_u", .unit = "-", .doc = "Shape at the upper end, below 1."},
                  {.key = "z_max",
                   .type = FieldType::choice,
                   .doc = "Upper bound of Z. `bounding-box`: squared distances from the centre of mass to the farthest faces of "
                          "the box around the shapes.",
                   .fallback = "bounding-box",
                   .words = {"bounding-box"},
                   .kinds = {{"multiple",
                              "A multiple of the nominal Z.",
                              {.unit = "-", .doc = "The factor, above 1.", .bound = Bound::positive}},
                             {"matrix",
                              "As given.",
                              {.type = FieldType::tensor,
                               .unit = "m²",
                               .doc = "Entries of Z_max (∫x² dm / m, …), in inertial axes at t = 0."}}}},
                  same_as("Instead of all others: the same normalised tensor as that of this body.")}},
      random_field("E", "For a beam: Young's modulus is a random field along it."),
      random_field("nu", "For a beam: Poisson's ratio is a random field."),
      random_field("density", "For a beam: the density is a random field."),
      random_field("height", "For a beam: the height of its section (the diameter for circles and tubes) is a random field."),
  };
}

std::vector<Kind> random_scalar_kinds() {
  std::vector<Kind> kinds = distribution_kinds();
  kinds.push_back({"openturns",
                   "Any distribution of OpenTURNS, with its name and the names of its parameters.",
                   {.type = FieldType::group,
                    .doc = "The distribution.",
                    .fields = {{.key = "name", .type = FieldType::text, .doc = "As in OpenTURNS: `Frechet`.", .required = true},
                               {.key = "parameters",
                                .type = FieldType::named_numbers,
                                .doc = "All its parameters: `{beta: 1, alpha: 2, gamma: 0}`.",
                                .required = true}}}});
  kinds.push_back({"cdf",
                   "Given by points of its distribution function, linear between them: measured values, or a distribution of "
                   "another program.",
                   {.type = FieldType::table,
                    .unit = "that of the parameter, -",
                    .doc = "[[value, probability], …], at most 1001 rows with increasing values, from probability 0 to 1.",
                    .required = true}});
  return kinds;
}

std::vector<Kind> dependence_kinds() {
  std::vector<Kind> kinds = {
      {"correlation",
       "Normal copula: correlation of the underlying normal variables of two or more quantities.",
       {.type = FieldType::words,
        .doc = "Names of random parameters, `BODY.mass`, fields (`BEAM.E`) or their variables (`BEAM.E.xi1`)."},
       {{.key = "value", .unit = "-", .doc = "Correlation of each pair, between −1 and 1.", .required = true}}}};
  for (const Kind& k : copula_kinds()) kinds.push_back(k);
  return kinds;
}

}  // namespace

std::vector<input::Section> study_sections() {
  return {
      {"uncertain", "uncertain",
       "Uncertain quantities: mass, centre of mass and inertia of a rigid body, material and height of a beam "
       "(without a tag); the distribution of a parameter. "
       "With `same_as` several bodies share one random quantity; all expressions that contain a random parameter use the same "
       "value.",
       body_law_fields(), random_scalar_kinds()},
      {"dependence",
       "dependence",
       "Random quantities are independent unless an entry here couples them. A quantity may appear in one copula, or in "
       "several "
       "correlations.",
       {},
       dependence_kinds()},
      {"scalars",
       "scalar",
       "Numbers derived from a response, or made of parameters, each with its own distribution.",
       {},
       scalar_kinds()}};
}

namespace {

Field chaos_field() {
  return {.key = "chaos",
          .type = FieldType::group,
          .doc = "Settings of `polynomial-chaos`, the expansion of the response in polynomials of the standard variables.",
          .fields = {{.key = "coefficients",
                      .type = FieldType::word,
                      .doc = "With d random variables, `quadrature`: (order + 1)^d Gauss points; `sparse-quadrature`: Smolyak's; "
                             "`least-squares`: fitted to "
                             "`samples` realizations; `sparse`: the same, keeping only the significant terms (LARS).",
                      .fallback = "quadrature with at most three variables and no `accuracy`, otherwise sparse",
                      .words = {"quadrature", "sparse-quadrature", "least-squares", "sparse"}},
                     {.key = "order",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Highest degree.",
                      .fallback = "the highest that `samples` realizations allow",
                      .bound = Bound::positive},
                     {.key = "basis",
                      .type = FieldType::word,
                      .doc = "Products of polynomials: `tensor` each degree ≤ order, `total-degree` their sum ≤ order, "
                             "`hyperbolic` (Σ degree^q)^(1/q) ≤ order.",
                      .fallback = "`quadrature`: tensor; `sparse`: the better of the other two; otherwise total-degree",
                      .words = {"tensor", "total-degree", "hyperbolic"}},
                     {.key = "q",
                      .unit = "-",
                      .doc = "Exponent of the hyperbolic basis, at most 1; smaller: fewer interactions.",
                      .fallback = "0.75",
                      .bound = Bound::positive},
                     {.key = "design",
                      .type = FieldType::word,
                      .doc = "Design of the realizations for `least-squares` and `sparse`.",
                      .fallback = "sobol",
                      .words = {"monte-carlo", "latin-hypercube", "sobol", "halton"}},
                     {.key = "evaluations",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Points at which the expansion is evaluated for bands, limits and scalars.",
                      .fallback = "10000",
                      .bound = Bound::positive}}};
}

Field levels_field() {
  return {.key = "levels",
          .type = FieldType::group,
          .doc = "Coarse models of `control-variate` and `multilevel`.",
          .fields = {{.key = "coarsen",
                      .type = FieldType::word,
                      .doc = "How the model is coarsened: a longer `step`, or fewer `elements` of the beams.",
                      .fallback = "step",
                      .words = {"step", "elements"}},
                     {.key = "factor",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Coarsening factor from one level to the next.",
                      .fallback = "4 (step), 2 (elements)",
                      .bound = Bound::positive},
                     {.key = "count",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Number of levels, including the model itself.",
                      .fallback = "2 (control-variate), 3 (multilevel)",
                      .bound = Bound::positive}}};
}

Field screening_field() {
  return {.key = "screening",
          .type = FieldType::group,
          .doc = "Settings of `morris`.",
          .fields = {{.key = "trajectories",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Number of trajectories; each needs as many simulations as there are random variables, plus one.",
                      .fallback = "20",
                      .bound = Bound::positive},
                     {.key = "levels",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Number of values of each variable on the grid; even.",
                      .fallback = "4",
                      .bound = Bound::positive}}};
}

Field variability_field() {
  return {.key = "variability",
          .type = FieldType::group,
          .doc = "Settings of `variability`, the dynamic variability response to a random field of a beam.",
          .fields = {{.key = "field",
                      .type = FieldType::text,
                      .doc = "The field, `BEAM.E`. Everything else that is random has its nominal value.",
                      .fallback = "the only one of the model"},
                     {.key = "wave_numbers",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Number of wave numbers κ, from 0 to `largest`, denser towards 0.",
                      .fallback = "24",
                      .bound = Bound::positive},
                     {.key = "phases",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Realizations per wave number: phases at equal distances.",
                      .fallback = "16",
                      .bound = Bound::positive},
                     {.key = "largest",
                      .unit = "rad/m",
                      .doc = "Largest wave number.",
                      .fallback = "six waves along the beam, and at most half a wave per element",
                      .bound = Bound::positive}}};
}

Field reliability_field() {
  return {
      .key = "reliability",
      .type = FieldType::group,
      .doc = "Settings of the methods for rare events.",
      .fields = {{.key = "sets",
                  .type = FieldType::integer,
                  .unit = "-",
                  .doc = "For `subset-simulation`: independent sets of chains, among which the samples of a level are divided; "
                         "they are compared with each other.",
                  .fallback = "4",
                  .bound = Bound::positive},
                 {.key = "level_probability",
                  .unit = "-",
                  .doc = "For `subset-simulation`: probability of each level, given the one before.",
                  .fallback = "0.1",
                  .bound = Bound::positive},
                 {.key = "smallest",
                  .unit = "-",
                  .doc = "Smaller probabilities are not looked for.",
                  .fallback = "1e-12",
                  .bound = Bound::positive}}};
}

Field univariate_field() {
  return {.key = "univariate",
          .type = FieldType::group,
          .doc = "Settings of `univariate-reduction`.",
          .fields = {{.key = "order",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Gauss points in each random variable.",
                      .fallback = "5",
                      .bound = Bound::positive},
                     {.key = "checks",
                      .type = FieldType::integer,
                      .unit = "-",
                      .doc = "Realizations drawn beside them, which tell the error; 0: none is stated.",
                      .fallback = "20",
                      .bound = Bound::not_negative}}};
}

}  // namespace

Field modes_field() {
  return {
      .key = "modes",
      .type = FieldType::group,
      .doc = "Which modes, with `what: modes`.",
      .fields = {
          {.key = "number",
           .type = FieldType::integer,
           .unit = "-",
           .doc = "Modes with the lowest natural frequencies; rigid motions and those damped more than critically do not "
                  "count.",
           .fallback = "6",
           .bound = Bound::positive},
          {.key = "about",
           .type = FieldType::word,
           .doc = "What is linearised: at rest at the `start` or at the `equilibrium` of each realization; the motion at the "
                  "start where it is `steady`, as that of rotors that spin; or everything at rest in a frame that turns, a "
                  "`rotation`, where springs and centrifugal forces balance.",
           .fallback = "start; equilibrium where simulations start there",
           .words = {"start", "equilibrium", "steady", "rotation"}},
          {.key = "frame",
           .type = FieldType::body,
           .doc = "For `rotation`: the body with which everything turns, as it turns at the start.",
           .fallback = "the only one that a joint turns from the ground"},
          {.key = "shapes",
           .type = FieldType::flag,
           .doc = "Also `mac_k`, how alike each shape is to the nominal one (1: the same), and the displacements of bodies and "
                  "nodes of beams in each mode, scaled to the modal mass of the nominal shape.",
           .fallback = "false"},
          {.key = "limits",
           .type = FieldType::named_groups,
           .doc = "Natural frequencies and damping ratios that modes should not have, as `{frequency_1: {below: 20}}`; `run` "
                  "computes "
                  "the probability that one does.",
           .fallback = "none",
           .fields = {{.key = "above", .unit = "Hz or -", .doc = "Exceeded when above."},
                      {.key = "below", .unit = "Hz or -", .doc = "Exceeded when below."}}}}};
}

const std::vector<std::string_view>& study_methods() {
  static const std::vector<std::string_view> all = {"monte-carlo",
                                                    "latin-hypercube",
                                                    "sobol",
                                                    "halton",
                                                    "auto",
                                                    "polynomial-chaos",
                                                    "control-variate",
                                                    "multilevel",
                                                    "first-order",
                                                    "univariate-reduction",
                                                    "morris",
                                                    "variability",
                                                    "subset-simulation",
                                                    "form",
                                                    "sorm",
                                                    "importance-sampling",
                                                    "line-sampling",
                                                    "enhanced-monte-carlo"};
  return all;
}

Field study_field() {
  return {
      .key = "study",
      .type = FieldType::group,
      .doc = "Settings of uncertainty propagation by `aleator run`.",
      .fields = {
          {.key = "what",
           .type = FieldType::word,
           .doc = "What is studied: the outputs over time (`motion`), or natural frequencies, damping ratios and shapes of small "
                  "vibrations (`modes`).",
           .fallback = "motion",
           .words = {"motion", "modes"}},
          modes_field(),
          {.key = "method",
           .type = FieldType::word,
           .doc = "Sampling: `monte-carlo`, `latin-hypercube`, `sobol`, `halton`. Expansion: `polynomial-chaos`. Sampling "
                  "with cheap models: `control-variate`, `multilevel`. Linearisation: `first-order`. Sum of functions of one "
                  "variable each: `univariate-reduction`. Screening: "
                  "`morris`. Response to a random field, whatever its correlation: `variability`. Probability of "
                  "rare events: `subset-simulation`, `form`, `sorm`, `importance-sampling`, `line-sampling`, "
                  "`enhanced-monte-carlo`. `auto` selects a method from a few realizations.",
           .fallback = "monte-carlo",
           .words = study_methods()},
          {.key = "samples",
           .type = FieldType::integer,
           .unit = "-",
           .doc = "Number of realizations; with `accuracy` and `auto` the maximum. Of `subset-simulation` those of a level, of "
                  "`line-sampling` lines.",
           .fallback = "500; with `accuracy` 100000; of methods for rare events 1000, 100 lines, of `enhanced-monte-carlo` 20000",
           .bound = Bound::positive},
          {.key = "accuracy",
           .type = FieldType::number_by_name,
           .unit = "-",
           .doc = "Add realizations until the standard error of every output, or of those named (`{x: 1%, y: 5%}`), is below "
                  "this (`1%`): of the mean relative to the rms "
                  "of the response, of the standard deviation relative to itself, of the band relative to its width, each "
                  "integrated over time.",
           .fallback = "none: `samples` realizations",
           .bound = Bound::positive},
          {.key = "budget",
           .type = FieldType::text,
           .doc = "With `accuracy` and `auto`: time and memory (`10 min, 4 GB`), or `none`. After the first realizations the "
                  "time becomes a "
                  "number of realizations, which is recorded; the study stops there, and says what the rest would take.",
           .fallback = "2 min, 2 GB"},
          {.key = "accuracy_of",
           .type = FieldType::words,
           .doc = "Statistics that must reach `accuracy`: `mean`, `std`, `band`.",
           .fallback = "[mean, std]",
           .words = {"mean", "std", "band"}},
          {.key = "confidence",
           .unit = "-",
           .doc = "Probability Pc of the probability band, between 0 and 1: from the (1 − Pc)/2 to the (1 + Pc)/2 quantile.",
           .fallback = "0.9",
           .bound = Bound::positive},
          {.key = "seed",
           .type = FieldType::integer,
           .unit = "-",
           .doc = "Seed of the random numbers; the same seed gives the same samples.",
           .fallback = "1",
           .bound = Bound::not_negative},
          {.key = "keep",
           .type = FieldType::word,
           .doc = "Keep `all` realizations, or only their `statistics` (memory then does not grow with their number; "
                  "quantiles then have a stated rank error).",
           .fallback = "all",
           .words = {"all", "statistics"}},
          {.key = "on_failure",
           .type = FieldType::word,
           .doc = "Action if a realization fails: `retry` it with a smaller step and, if that fails too, count it as failed; "
                  "`skip` it at once; `stop` the study if the retry fails (it can be resumed).",
           .fallback = "retry",
           .words = {"stop", "retry", "skip"}},
          {.key = "failed_at_most",
           .unit = "-",
           .doc = "Stop if more than this fraction of the planned realizations has failed (`5%`).",
           .fallback = "100%",
           .bound = Bound::not_negative},
          {.key = "sensitivity",
           .type = FieldType::flag,
           .doc = "Also compute Sobol indices (first-order and total) of the random quantities; takes "
                  "as many more simulations as there are quantities, plus one, per sample. Expansions always provide them.",
           .fallback = "false"},
          {.key = "hypercube",
           .type = FieldType::word,
           .doc = "For `latin-hypercube`: points in the classes and their order `random`, points `centred`, or the order "
                  "`optimised` to maximise the distance between points.",
           .fallback = "random",
           .words = {"random", "centred", "optimised"}},
          {.key = "replicates",
           .type = FieldType::integer,
           .unit = "-",
           .doc = "For `sobol` and `halton`: number of independent randomisations, among which the samples are divided; "
                  "standard errors come from their scatter.",
           .fallback = "8",
           .bound = Bound::positive},
          chaos_field(),
          levels_field(),
          screening_field(),
          univariate_field(),
          variability_field(),
          {.key = "failure",
           .type = FieldType::words,
           .doc = "For methods for rare events: limits, as `[drift.above, drift.below]`. Failure is that any of them is passed "
                  "at any time.",
           .fallback = "all limits of the model"},
          reliability_field()}};
}

Field limits_field(std::string_view unit) {
  return {.key = "limits",
          .type = FieldType::group,
          .doc = "Values it should not exceed; `run` computes the probability that it does.",
          .fields = {{.key = "above", .unit = unit, .doc = "Exceeded when above."},
                     {.key = "below", .unit = unit, .doc = "Exceeded when below."}}};
}

}  // namespace aleator::core
