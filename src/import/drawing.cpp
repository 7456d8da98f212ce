#include "import/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "input/text.hpp"

namespace aleator::core::importing {

namespace {

using Kind = Joint::Kind;

bool has_position(const Joint& j) { return j.kind == Kind::hinge || j.kind == Kind::slide; }

std::vector<double> mass_below(const Mechanism& m) {
  std::vector<double> mass(m.links.size());
  for (std::size_t i = m.links.size(); i-- > 0;) {
    mass[i] += m.links[i].mass.mass;
    if (m.links[i].parent >= 0) mass[std::size_t(m.links[i].parent)] += mass[i];
  }
  return mass;
}

// X of link `from` to link `to`, which is fixed to it through links that are fixed to each other.
struct Fixed {
  int link = -1;
  Pose pose;
};
// The first link with mass that is fixed to this one.
Fixed heavy_part(const Mechanism& m, int link, const Pose& pose) {
  for (std::size_t c = std::size_t(link) + 1; c < m.links.size(); ++c) {
    const Link& child = m.links[c];
    if (child.parent != link || child.joint.kind != Kind::fixed) continue;
    const Pose there = pose * child.joint.to_joint * child.joint.to_link;
    if (child.mass.mass > 0) return {int(c), there};
    if (const Fixed found = heavy_part(m, int(c), there); found.link >= 0) return found;
  }
  return {};
}

// Joints between this link, with those fixed to it, and others with mass: with one alone, the link can move without them.
int holding_joints(const Mechanism& m, int link, const std::vector<double>& below) {
  int count = 0;
  for (std::size_t c = std::size_t(link) + 1; c < m.links.size(); ++c) {
    if (m.links[c].parent != link) continue;
    const Joint& j = m.links[c].joint;
    if (j.kind == Kind::fixed)
      count += holding_joints(m, int(c), below);
    else if (j.kind != Kind::free && below[c] > 0)
      count += j.locked || j.inertia > 0 ? 2 : 1;
  }
  return count;
}

// Relations, loops and joints of a model may hold what a tree alone does not.
void refuse_loose(const Mechanism& m, std::size_t i, const std::vector<double>& below, const ImportOptions& options) {
  const Link& link = m.links[i];
  if (link.joint.kind != Kind::free || !m.relations.empty() || !m.loops.empty() || options.in_model) return;
  if (holding_joints(m, int(i), below) < 2)
    throw error_at(link.place, fmt::format("link '{}' has no mass and floats, and one joint alone is between it and what has a "
                                           "mass: nothing resists its motion; give it an <inertial>, or make that joint fixed",
                                           link.name));
}

void carry_massless(Mechanism& m, const ImportOptions& options, std::vector<std::string>& names) {
  const std::vector<double> below = mass_below(m);
  for (std::size_t i = 0; i < m.links.size(); ++i) {
    Link& link = m.links[i];
    if (link.mass.mass > 0 || link.joint.kind == Kind::fixed) continue;
    if (link.parent < 0 && (options.base != Base::floating || link.name == "world") && m.format == "URDF")
      continue;  // the ground
    if (const Fixed heavy = heavy_part(m, int(i), {}); heavy.link >= 0) {
      Link& part = m.links[std::size_t(heavy.link)];
      link.mass = part.mass;
      link.mass.rotate_and_move(heavy.pose);
      part.mass = {};
      names[i] = part.name;
      continue;
    }
    const bool rotor = has_position(link.joint) && link.joint.inertia > 0;
    if (!(below[i] > 0) && !rotor)
      throw error_at(link.place,
                     fmt::format("link '{}' can move and nothing on it has a mass; give it an <inertial>{}", link.name,
                                 link.parent >= 0 ? fmt::format(", or make joint '{}' fixed", link.joint.name) : ""));
    refuse_loose(m, i, below, options);
    link.joins = true;
  }
}

void set_positions(const Mechanism& m, const ImportOptions& options, Drawing& d, std::vector<Note>& notes) {
  const auto link_of = [&](const std::string& joint) {
    const auto it = std::find_if(m.links.begin(), m.links.end(),
                                 [&](const Link& l) { return l.joint.name == joint && has_position(l.joint); });
    return it == m.links.end() ? std::size_t(-1) : std::size_t(it - m.links.begin());
  };
  std::vector<std::string> known;
  for (std::size_t i = 0; i < m.links.size(); ++i) {
    const Joint& j = m.links[i].joint;
    if (!has_position(j)) continue;
    known.push_back(j.name);
    const auto given = options.positions.find(j.name);
    d.position[i] = given != options.positions.end() ? given->second : j.zero;
  }
  for (const auto& [name, value] : options.positions)
    if (link_of(name) == std::size_t(-1))
      throw input::InputError({}, fmt::format("there is no joint '{}' with a position{}", name, input::suggestion(name, known)));
  // Limits that leave out the position drawn: the middle between them, unless it was asked for.
  for (std::size_t i = 0; i < m.links.size(); ++i) {
    const Joint& j = m.links[i].joint;
    const bool follows =
        std::any_of(m.relations.begin(), m.relations.end(), [&](const Relation& r) { return r.second == j.name; });
    if (!has_position(j) || !j.limited || follows || options.positions.contains(j.name)) continue;
    if (d.position[i] >= j.lower && d.position[i] <= j.upper) continue;
    d.position[i] = 0.5 * (j.lower + j.upper);
    notes.push_back({j.place, fmt::format("joint '{}': its limits {:g} … {:g} leave out {:g}: it is drawn in the middle, at "
                                          "{:g}; `{}` changes that",
                                          j.name, j.lower, j.upper, j.zero, d.position[i],
                                          options.in_model ? fmt::format("positions: {{{}: …}}", j.name)
                                                           : fmt::format("--position {}=…", j.name))});
  }
  for (std::size_t round = 0; round < m.relations.size(); ++round)  // one may follow another
    for (const Relation& r : m.relations) {
      const std::size_t a = link_of(r.first), b = link_of(r.second);
      if (r.first.empty() && b != std::size_t(-1)) d.position[b] = r.offset;  // it is held there
      if (a == std::size_t(-1) || b == std::size_t(-1)) continue;
      const double q = r.ratio * d.position[a] + r.offset;
      if (options.positions.contains(r.second) && std::abs(q - options.positions.at(r.second)) > 1e-9 * (1 + std::abs(q)) &&
          round + 1 == m.relations.size())
        throw error_at(r.place, fmt::format("joint '{}' follows '{}' and is at {:g} then: set the position of that one alone",
                                            r.second, r.first, q));
      d.position[b] = q;
    }
}

// Stops in which a joint is from the start push it out.
void note_compressed_stops(const Mechanism& m, const ImportOptions& options, const Drawing& d, std::vector<Note>& notes) {
  for (std::size_t i = 0; i < m.links.size(); ++i) {
    const Joint& j = m.links[i].joint;
    if (!has_position(j) || !j.limited || j.locked || !options.limits) continue;
    const double q = d.position[i], beyond = std::max(j.lower - q, q - j.upper);
    if (beyond > 1e-9 * (1 + std::abs(q)))
      notes.push_back({j.place, fmt::format("joint '{}' is drawn at {:g}, outside of its limits {:g} … {:g}: its stops are "
                                            "compressed by {:g} {} at t = 0",
                                            j.name, q, j.lower, j.upper, beyond, j.kind == Kind::hinge ? "rad" : "m")});
  }
}

// Of the joints, by name; those that follow another move with it.
std::map<std::string, std::vector<double>> all_rates(const Mechanism& m, const ImportOptions& options) {
  std::map<std::string, std::vector<double>> rates = options.velocities;
  for (std::size_t round = 0; round < m.relations.size(); ++round)
    for (const Relation& r : m.relations)
      if (const auto it = rates.find(r.first); it != rates.end() && it->second.size() == 1)
        rates[r.second] = {r.ratio * it->second[0]};
  return rates;
}

void place_links(const Mechanism& m, const ImportOptions& options, Drawing& d) {
  const std::map<std::string, std::vector<double>> rates = all_rates(m, options);
  std::set<std::string> used;
  for (std::size_t i = 0; i < m.links.size(); ++i) {
    const Link& link = m.links[i];
    const Joint& j = link.joint;
    const Pose parent = link.parent >= 0 ? d.pose[std::size_t(link.parent)] : Pose{};
    const Pose joint = parent * j.to_joint;
    const double moved = has_position(j) ? d.position[i] - j.zero : 0;
    Pose motion;
    if (j.kind == Kind::hinge) motion.R = rotation_about(j.axis, moved);
    if (j.kind == Kind::slide) motion.p = moved * j.axis;
    d.pose[i] = joint * motion * j.to_link;
    const Vector v_P = link.parent >= 0 ? d.velocity[std::size_t(link.parent)] : Vector{};
    const Vector w_P = link.parent >= 0 ? d.spin[std::size_t(link.parent)] : Vector{};
    d.velocity[i] = v_P + cross(w_P, d.pose[i].p - parent.p);
    d.spin[i] = w_P;
    const auto it = rates.find(j.name.empty() ? link.name : j.name);
    if (it == rates.end()) continue;
    used.insert(it->first);
    const std::vector<double>& q = it->second;
    const std::size_t needed = has_position(j) ? 1 : j.kind == Kind::ball ? 3 : j.kind == Kind::free ? 6 : 0;
    if (q.size() != needed)
      throw input::InputError(
          {}, fmt::format("the velocity of joint '{}' must have {} numbers, found {}", it->first, needed, q.size()));
    const Vector axis = joint.R * j.axis;
    const Vector from_joint = d.pose[i].p - (joint * motion).p;
    if (j.kind == Kind::slide) d.velocity[i] += q[0] * axis;
    Vector turn;
    if (j.kind == Kind::hinge) turn = q[0] * axis;
    if (j.kind == Kind::ball) turn = d.pose[i].R * Vector{q[0], q[1], q[2]};
    d.spin[i] += turn;
    d.velocity[i] += cross(turn, from_joint);
    if (j.kind == Kind::free) {
      d.velocity[i] = {q[0], q[1], q[2]};
      d.spin[i] = d.pose[i].R * Vector{q[3], q[4], q[5]};
    }
  }
  for (const auto& [name, value] : options.velocities)
    if (!used.contains(name)) throw input::InputError({}, fmt::format("there is no joint '{}' that could have a velocity", name));
}

// Of everything behind a joint, about its axis (hinge) or along it (slide).
void find_joint_inertias(const Mechanism& m, Drawing& d) {
  for (std::size_t i = 0; i < m.links.size(); ++i) {
    const Joint& j = m.links[i].joint;
    if (!has_position(j)) continue;
    const Pose joint = (m.links[i].parent >= 0 ? d.pose[std::size_t(m.links[i].parent)] : Pose{}) * j.to_joint;
    const Vector axis = joint.R * j.axis;
    std::vector<char> behind(m.links.size(), 0);
    behind[i] = 1;
    double sum = j.inertia;
    for (std::size_t k = i; k < m.links.size(); ++k) {
      const Link& link = m.links[k];
      if (k > i && (link.parent < 0 || behind[std::size_t(link.parent)] == 0)) continue;
      behind[k] = 1;
      const Vector arm = cross(axis, d.pose[k] * link.mass.center - joint.p);
      const Vector local = transposed_times(d.pose[k].R, axis);
      sum += j.kind == Kind::slide ? link.mass.mass : link.mass.mass * dot(arm, arm) + dot(local, link.mass.inertia * local);
    }
    d.joint_inertia[i] = sum;
  }
}

}  // namespace

namespace {

bool is_nothing(std::string_view name) { return name == "null" || name == "Null" || name == "NULL"; }

// Why a link is not called as in the file.
std::string why_renamed(const std::string& name) {
  if (name == "ground") return "'ground' is the fixed frame";
  if (is_nothing(name)) return fmt::format("YAML takes '{}' for no value", name);
  if (entry_name(name) == name) return "there is another one of this name";
  return "names have letters, digits, _ and -";
}

}  // namespace

std::string entry_name(const std::string& name) {
  std::string out = name;
  for (char& c : out)
    if (!input::is_letter(c) && !input::is_digit(c) && c != '-') c = '_';
  if (out.empty() || !input::is_letter(out[0])) out = "_" + out;
  return out == "ground" || is_nothing(out) ? out + "_" : out;
}

Drawing drawn(Mechanism& m, const ImportOptions& options) {
  const std::size_t n = m.links.size();
  Drawing d;
  d.body.resize(n);
  d.pose.resize(n);
  d.velocity.resize(n);
  d.spin.resize(n);
  d.position.resize(n);
  d.joint_inertia.resize(n);
  std::vector<std::string> names(n);
  for (std::size_t i = 0; i < n; ++i) names[i] = m.links[i].name;
  carry_massless(m, options, names);
  std::set<std::string> taken;
  for (std::size_t i = 0; i < n; ++i) {
    const Link& link = m.links[i];
    const bool ground = link.parent < 0 && (link.name == "world" || (link.mass.mass == 0 && !link.joins));
    d.body[i] = ground ? -1 : link.mass.mass > 0 || link.joins ? int(i) : link.parent < 0 ? -1 : d.body[std::size_t(link.parent)];
    std::string name = entry_name(names[i]);
    if (d.body[i] == int(i)) {
      while (taken.contains(name)) name += "_";
      taken.insert(name);
      if (name != names[i])
        m.note(link.place, fmt::format("link '{}' is called '{}': {}", names[i], name, why_renamed(names[i])));
    }
    d.names.push_back(d.body[i] < 0 ? "ground" : d.body[i] == int(i) ? name : d.names[std::size_t(d.body[i])]);
  }
  set_positions(m, options, d, m.notes);
  note_compressed_stops(m, options, d, m.notes);
  place_links(m, options, d);
  find_joint_inertias(m, d);
  return d;
}

}  // namespace aleator::core::importing
